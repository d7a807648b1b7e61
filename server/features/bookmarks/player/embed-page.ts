/**
 * `/embed/{bookmark id}`: the player of a host that we do not know, inside a page of ours that has no origin, no
 * storage and no way out but that one frame (docs/behaviour.md, Pages and players).
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { readEmbed } from '../save/queries.ts'
import { choosePlayer, isEmbedLink } from './player.ts'

interface EmbedRequest {
  Params: { id: string }
  Querystring: { expires?: string; key?: string }
}

export function registerEmbedPage(app: FastifyInstance): void {
  const { db, serverKeys, settings } = app.deps
  const parentHost = new URL(settings.publicUrl).hostname

  app.get<EmbedRequest>('/embed/:id', { schema: { hide: true } }, async (request, reply) => {
    const id = Number(request.params.id)
    if (!/^\d{1,15}$/.test(request.params.id)) return sendGone(reply)
    // Opened by itself it would show what the bookmark's page covers until somebody says that they are of age.
    if (request.headers['sec-fetch-dest'] === 'document') return reply.redirect(`/bookmarks/${id}`)
    const { expires, key } = request.query
    // Whoever holds a link that we signed was allowed to see the bookmark when we did.
    const allowed =
      typeof expires === 'string' &&
      typeof key === 'string' &&
      isEmbedLink(serverKeys['embed-page'], { id, expires: Number(expires), key, now: Date.now() })
    const video = await readEmbed(db, id, allowed)
    const { embed_url, player } =
      video === null ? { embed_url: null, player: null } : choosePlayer(video, parentHost)
    if (embed_url === null || player !== 'other') return sendGone(reply)
    const { origin, pathname } = new URL(embed_url)
    // A film by itself is played by the browser; the host's own page for it would be the same without telling its end.
    const isFile = /\.(mp4|m4v|webm|ogv|mov)$/i.test(pathname)
    return reply
      .header(
        'content-security-policy',
        `sandbox allow-scripts allow-presentation; default-src 'none'; style-src 'nonce-${reply.cspNonce}'; ` +
          `script-src 'nonce-${reply.cspNonce}'; ${isFile ? 'media-src https:' : `frame-src ${origin}`}; ` +
          "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
      )
      .header('cache-control', 'private, no-store')
      .type('text/html; charset=utf-8')
      .send(
        embedPage(isFile ? videoElement(embed_url) : frameElement(withAutoplay(embed_url)), reply.cspNonce),
      )
  })
}

function embedPage(player: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Player</title>
<style nonce="${nonce}">html,body,iframe,video{margin:0;border:0;width:100%;height:100%;display:block;background:#000}</style>
${player}
<script nonce="${nonce}">${relay}</script>
</html>
`
}

function videoElement(url: string): string {
  return `<video src="${escaped(url)}" controls autoplay playsinline></video>`
}

function frameElement(url: string): string {
  return `<iframe src="${escaped(url)}" title="Player" allow="autoplay; fullscreen"
  sandbox="allow-scripts allow-presentation" referrerpolicy="strict-origin-when-cross-origin"></iframe>`
}

/** PeerTube tells what it does where it is asked to, and starts: whoever sees this page pressed play. */
function withAutoplay(embedUrl: string): string {
  if (recogniseVideo(embedUrl)?.provider !== 'peertube') return embedUrl
  const url = new URL(embedUrl)
  url.searchParams.set('api', '1')
  url.searchParams.set('autoplay', '1')
  return url.href
}

/**
 * Hands on to our page, which is what holds this one (frame-ancestors), that the player plays or has ended: a film's own
 * events, or what PeerTube's player says by its jschannel, which waits for an answer to its first word. What comes from
 * any other window is not heard.
 */
const relay = `
const player = document.querySelector('iframe, video')
const tell = (state) => parent.postMessage({ reelmark: state }, '*')
player.addEventListener('playing', () => tell('playing'))
player.addEventListener('ended', () => tell('ended'))
addEventListener('message', ({ source, data }) => {
  if (source === null || source !== player.contentWindow || typeof data !== 'string') return
  let said
  try { said = JSON.parse(data) } catch { return }
  if (said === null) return
  if (said.method === 'peertube::__ready' && said.params === 'ping')
    source.postMessage('{"method":"peertube::__ready","params":"pong"}', '*')
  if (said.method === 'peertube::playbackStatusChange' && (said.params === 'playing' || said.params === 'ended'))
    tell(said.params)
})
`

/** The same for what is not there, not theirs to see, and what needs no such page. */
function sendGone(reply: FastifyReply): FastifyReply {
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
