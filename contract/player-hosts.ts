/**
 * What is known of other sites' players: how their frame is restricted, how their URL starts playback and names a time,
 * their shape, and which messages they exchange with the page (web/features/videos/player/player-protocols.ts).
 */

/** The protocols of messages between a player and the page that contains it. */
export type PlayerMessages =
  | 'dailymotion'
  | 'player.js'
  | 'rutube'
  | 'tiktok'
  | 'twitch'
  | 'vimeo'
  | 'youtube'

/** The attributes of a player's frame. */
export interface FrameRules {
  sandbox: string
  /** The features of the browser that the player may use. */
  allow: string
  referrerPolicy: 'strict-origin-when-cross-origin'
}

export interface PlayerHost {
  /** Absent: it sends no messages that are documented. */
  messages?: PlayerMessages
  /** Parameters added to the URL. They start playback and turn the messages on. */
  params?: Readonly<Record<string, string>>
  /**
   * How the URL names the time to start at: `start={seconds}` in the query, `#t={seconds}s` as the fragment. `{time}` is
   * written as `1h2m3s`. Absent if the player cannot start at a time.
   */
  start?: string
  /** Whether it ignores that time, so that a message moves it there once it plays. */
  startsBySeeking?: true
  /** Whether it only sends messages to the origin named in its URL. */
  needsOrigin?: true
  /** The shape of its videos if their size is unknown. Absent: landscape. */
  shape?: 'portrait' | 'square'
}

/**
 * Rules for the player of a known host. YouTube shows error 153 to pages that send no referrer, so that the origin of this
 * site is sent. The player of a host that is a single site has that site's origin and thus its storage.
 */
export const knownPlayerRules: FrameRules = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox',
  allow: 'autoplay; fullscreen; picture-in-picture; encrypted-media',
  referrerPolicy: 'strict-origin-when-cross-origin',
}

/** Rules for our embed page around the player of any other host, and for the player in it: it has no origin. */
export const otherPlayerRules: FrameRules = {
  sandbox: 'allow-scripts allow-presentation',
  allow: 'autoplay; fullscreen; picture-in-picture',
  referrerPolicy: 'strict-origin-when-cross-origin',
}

/** By the host of the player's URL, which server/core/video-links builds. Hosts without a row have no special rules. */
const playerHosts: Readonly<Record<string, PlayerHost>> = {
  'www.youtube-nocookie.com': {
    messages: 'youtube',
    params: { autoplay: '1', enablejsapi: '1' },
    start: 'start={seconds}',
    needsOrigin: true,
  },
  'player.vimeo.com': { messages: 'vimeo', params: { autoplay: '1' }, start: '#t={seconds}s' },
  'geo.dailymotion.com': {
    messages: 'dailymotion',
    params: { autoplay: '1', api: 'postMessage' },
    start: 'startTime={seconds}',
  },
  'player.twitch.tv': { messages: 'twitch', params: { autoplay: 'true' }, start: 'time={time}' },
  'clips.twitch.tv': { params: { autoplay: 'true' } },
  'www.tiktok.com': {
    messages: 'tiktok',
    params: { autoplay: '1' },
    start: '#t={seconds}',
    startsBySeeking: true,
    shape: 'portrait',
  },
  'rutube.ru': { messages: 'rutube', start: 't={seconds}' },
  'streamable.com': { messages: 'player.js', params: { autoplay: '1' } },
  'iframe.mediadelivery.net': { messages: 'player.js', params: { autoplay: 'true' } },
  'archive.org': { start: 'start={seconds}' },
  'odysee.com': { start: 't={seconds}' },
  'player.bilibili.com': { start: 't={seconds}' },
  'open.douyin.com': { shape: 'portrait' },
  'www.instagram.com': { shape: 'portrait' },
  'embed.reddit.com': { shape: 'square' },
  'platform.twitter.com': { shape: 'square' },
  't.me': { shape: 'square' },
}

/**
 * By the name of software that runs on any host. Our embed page speaks the protocol of PeerTube
 * (https://docs.joinpeertube.org/api-embed-player), which has no event for errors.
 */
const playerSoftware: Readonly<Record<string, PlayerHost>> = {
  peertube: { start: 'start={seconds}s' },
}

/**
 * Returns what is known of a player.
 * @param embedUrl its URL, or a template of it
 * @param provider the name of its host or software
 */
export function findPlayerHost(embedUrl: string, provider = ''): PlayerHost {
  const host = /^https:\/\/([^/?#]+)/.exec(embedUrl)?.[1] ?? ''
  if (Object.hasOwn(playerHosts, host)) return playerHosts[host] ?? {}
  return Object.hasOwn(playerSoftware, provider) ? (playerSoftware[provider] ?? {}) : {}
}
