/**
 * `/embed/{bookmark id}`: the player of a host that we do not know, inside a page of ours that has no origin, no
 * storage and no way out but that one frame (design notes 'Pages and players').
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { secretKey } from '../../core/secrets.ts'
import { isEmbedLink, playerOf } from './players.ts'
import { readEmbed } from './queries.ts'

interface EmbedRequest {
  Params: { id: string }
  Querystring: { expires?: string; key?: string }
}

export function registerEmbedPage(app: FastifyInstance): void {
  const { db, settings } = app.deps
  const parentHost = new URL(settings.publicUrl).hostname

  app.get<EmbedRequest>('/embed/:id', { schema: { hide: true } }, async (request, reply) => {
    const id = Number(request.params.id)
    if (!/^\d{1,15}$/.test(request.params.id)) return answerGone(reply)
    const { expires, key } = request.query
    const secret = await secretKey(db, 'embed-page')
    // Whoever holds a link that we signed was allowed to see the bookmark when we did.
    const allowed =
      typeof expires === 'string' &&
      typeof key === 'string' &&
      isEmbedLink(secret, { id, expires: Number(expires), key, now: Date.now() })
    const video = await readEmbed(db, id, allowed)
    const { embed_url, player } =
      video === null ? { embed_url: null, player: null } : playerOf(video, parentHost)
    if (embed_url === null || player !== 'other') return answerGone(reply)
    const { origin } = new URL(embed_url)
    return reply
      .header(
        'content-security-policy',
        `sandbox allow-scripts allow-presentation; default-src 'none'; style-src 'nonce-${reply.cspNonce}'; ` +
          `frame-src ${origin}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
      )
      .header('cache-control', 'private, no-store')
      .type('text/html; charset=utf-8')
      .send(page(embed_url, reply.cspNonce))
  })
}

function page(embedUrl: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Player</title>
<style nonce="${nonce}">html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block;background:#000}</style>
<iframe src="${escaped(embedUrl)}" title="Player" allow="fullscreen"
  sandbox="allow-scripts allow-presentation" referrerpolicy="strict-origin-when-cross-origin"></iframe>
</html>
`
}

/** The same for what is not there, not theirs to see, and what needs no such page. */
function answerGone(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header(
      'content-security-policy',
      "sandbox; default-src 'none'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><meta charset="utf-8"><title>Not found</title><p>This video cannot be played here.</p>',
    )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
