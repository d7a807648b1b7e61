/**
 * `/embed/{bookmark id}`: a page of ours that contains the player of an unknown host. The page has no origin, no storage
 * and can load nothing but that one frame (docs/behaviour.md, Pages and players).
 */

import { otherPlayerRules } from '@reelmark/contract/player-hosts.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  type AllowList,
  bareHost,
  effectivePort,
  isAllowed,
  isDnsName,
  isPublicDnsName,
  parseAllowList,
} from '../../../core/outbound/check-url.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { readEmbed } from '../save/queries.ts'
import { choosePlayer, isEmbedLink, isVideoFile } from './player.ts'

interface EmbedRequest {
  Params: { id: string }
  Querystring: { expires?: string; key?: string; t?: string }
}

export function registerEmbedPage(app: FastifyInstance): void {
  const { db, serverKeys, settings } = app.deps
  const parentHost = new URL(settings.publicUrl).hostname
  const allow = parseAllowList(settings.outboundAllow)

  app.get<EmbedRequest>('/embed/:id', { schema: { hide: true } }, async (request, reply) => {
    const id = Number(request.params.id)
    if (!/^\d{1,15}$/.test(request.params.id)) return sendNotFound(reply)
    // As a document it would show adult content without the age confirmation of the bookmark's page.
    if (request.headers['sec-fetch-dest'] === 'document') return reply.redirect(`/bookmarks/${id}`)
    const { expires, key, t } = request.query
    // A valid signed link proves that its holder was allowed to see the bookmark when the link was created.
    const allowed =
      typeof expires === 'string' &&
      typeof key === 'string' &&
      isEmbedLink(serverKeys['embed-page'], { id, expires: Number(expires), key, now: Date.now() })
    const video = await readEmbed(db, id, allowed)
    const { embed_url, player } =
      video === null ? { embed_url: null, player: null } : choosePlayer(video, parentHost)
    if (embed_url === null || player !== 'other') return sendNotFound(reply)
    const url = new URL(embed_url)
    if (!isFrameable(url, allow)) return sendNotFound(reply)
    const { origin } = url
    // The browser plays a video file itself, because a host's page for it would not report when it ended.
    const isFile = isVideoFile(embed_url)
    const start = typeof t === 'string' && /^\d{1,7}$/.test(t) ? Number(t) : 0
    return reply
      .header(
        'content-security-policy',
        `sandbox ${otherPlayerRules.sandbox}; default-src 'none'; style-src 'nonce-${reply.cspNonce}'; ` +
          `script-src 'nonce-${reply.cspNonce}'; ${isFile ? 'media-src https:' : `frame-src ${origin}`}; ` +
          "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
      )
      .header('cache-control', 'private, no-store')
      .type('text/html; charset=utf-8')
      .send(
        embedPage(
          isFile ? videoElement(embed_url, start) : frameElement(playerUrl(embed_url, start)),
          reply.cspNonce,
        ),
      )
  })
}

/** Returns whether the host of a player may be named in a policy: a public DNS name, or one that the operator allows. */
function isFrameable(url: URL, allow: AllowList): boolean {
  const host = bareHost(url)
  return isPublicDnsName(host) || (isDnsName(host) && isAllowed(allow, host, effectivePort(url)))
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

function videoElement(url: string, start: number): string {
  const address = start === 0 ? url : `${url.split('#', 1)[0]}#t=${start}`
  return `<video src="${escapeHtml(address)}" controls autoplay playsinline></video>`
}

function frameElement(url: string): string {
  const { allow, sandbox, referrerPolicy } = otherPlayerRules
  return `<iframe src="${escapeHtml(url)}" title="Player" allow="${allow}"
  sandbox="${sandbox}" referrerpolicy="${referrerPolicy}"></iframe>`
}

/** Returns a PeerTube player's URL with its API, autoplay and start time: the page is opened by pressing play. */
function playerUrl(embedUrl: string, start: number): string {
  if (recogniseVideo(embedUrl)?.provider !== 'peertube') return embedUrl
  const url = new URL(embedUrl)
  url.searchParams.set('api', '1')
  url.searchParams.set('autoplay', '1')
  if (start > 0) url.searchParams.set('start', `${start}s`)
  return url.href
}

/**
 * The script that reports to the page containing this one (restricted by frame-ancestors) when the player is loaded or
 * failed, when the video plays or ended, and its time, and pauses the video or moves it to a time on request of that page. It uses a video element, or the messages
 * of PeerTube's player (jschannel), whose first message expects an answer. Messages from other windows are ignored.
 */
const relay = `
const player = document.querySelector('iframe, video')
const report = (state, seconds) => parent.postMessage({ reelmark: state, seconds }, '*')
const notify = (method, params) => player.contentWindow.postMessage(JSON.stringify({ method: 'peertube::' + method, params }), '*')
const seek = (seconds) => {
  if (player instanceof HTMLVideoElement) {
    player.currentTime = seconds
    player.play().catch(() => {})
  } else {
    notify('seek', seconds)
    notify('play', null)
  }
}
const setPlaying = (isPlaying) => {
  if (!(player instanceof HTMLVideoElement)) notify(isPlaying ? 'play' : 'pause', null)
  else if (isPlaying) player.play().catch(() => {})
  else player.pause()
}
player.addEventListener('load', () => report('loaded'))
player.addEventListener('loadedmetadata', () => report('loaded'))
player.addEventListener('error', () => report('failed'))
player.addEventListener('playing', () => report('playing'))
player.addEventListener('ended', () => report('ended'))
player.addEventListener('timeupdate', () => report('time', player.currentTime))
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.reelmark === 'seek' && Number.isFinite(data.seconds)) return seek(data.seconds)
  if (source === parent && (data?.reelmark === 'play' || data?.reelmark === 'pause')) return setPlaying(data.reelmark === 'play')
  if (source === null || source !== player.contentWindow || typeof data !== 'string') return
  let message
  try { message = JSON.parse(data) } catch { return }
  if (message === null) return
  if (message.method === 'peertube::__ready' && message.params === 'ping')
    source.postMessage('{"method":"peertube::__ready","params":"pong"}', '*')
  if (message.method === 'peertube::playbackStatusChange' && (message.params === 'playing' || message.params === 'ended'))
    report(message.params)
  if (message.method === 'peertube::playbackStatusUpdate') report('time', message.params?.position)
})
`

/** Answers 404, the same for missing, inaccessible and other bookmarks that have no embed page. */
function sendNotFound(reply: FastifyReply): FastifyReply {
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

/** Escapes text for HTML. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
