/** The protocols of known players: how to request their state, and how they report it by messages to the page. */

export type PlayerState = 'playing' | 'ended'

export interface EmbeddedPlayer {
  /** The URL for the frame. It starts playback, because the frame is loaded when the user clicks play. */
  src: string
  /** The origin of its messages; null if it never reports the end. */
  origin: string | null
  /** Sent to the player until it responds. */
  subscribeMessages: readonly unknown[]
  /** Returns the state that a message reports; null for other messages. */
  read: (message: unknown) => PlayerState | null
}

interface PlayerProtocol {
  /** Added to the player's URL. */
  params: Record<string, string>
  subscribeMessages?: readonly unknown[]
  read?: (message: Fields) => PlayerState | null
}

type Fields = Record<string, unknown>

const youtube: PlayerProtocol = {
  // https://developers.google.com/youtube/player_parameters; the messages are those of its iframe API.
  params: { autoplay: '1', enablejsapi: '1' },
  subscribeMessages: [
    JSON.stringify({ event: 'listening', id: 1, channel: 'widget' }),
    JSON.stringify({
      event: 'command',
      func: 'addEventListener',
      args: ['onStateChange'],
      id: 1,
      channel: 'widget',
    }),
  ],
  read: ({ event, info }) =>
    stateFromNumber(event === 'onStateChange' ? info : messageFields(info).playerState),
}

const vimeo: PlayerProtocol = {
  // https://github.com/vimeo/player.js
  params: { autoplay: '1' },
  subscribeMessages: ['play', 'ended'].map((value) => ({ method: 'addEventListener', value })),
  read: ({ event }) => stateFromName(event, 'play', 'ended'),
}

const dailymotion: PlayerProtocol = {
  // Dailymotion's own script requests `api=postMessage` and receives `event=video_end` as a query string.
  params: { autoplay: '1', api: 'postMessage' },
  read: ({ event }) => stateFromName(event, 'playing', 'video_end', 'end'),
}

const twitch: PlayerProtocol = {
  // https://dev.twitch.tv/docs/embed/video-and-clips
  params: { autoplay: 'true' },
  read: ({ namespace, eventName, params }) => {
    if (!String(namespace).startsWith('twitch-embed')) return null
    if (eventName === 'UPDATE_STATE') return stateFromName(messageFields(params).playback, 'Playing', 'Ended')
    return stateFromName(eventName, 'playing', 'ended')
  },
}

const tiktok: PlayerProtocol = {
  // https://developers.tiktok.com/doc/embed-player
  params: { autoplay: '1' },
  read: (message) =>
    message['x-tiktok-player'] === true && message.type === 'onStateChange'
      ? stateFromNumber(message.value)
      : null,
}

const rutube: PlayerProtocol = {
  // https://rutube.ru/info/embed
  params: {},
  read: ({ type, data }) =>
    stateFromName(type, '', 'player:playComplete') ??
    (type === 'player:changeState' ? stateFromName(messageFields(data).state, 'playing') : null),
}

/** https://github.com/embedly/player.js: a protocol shared by several hosts. */
const playerJs: PlayerProtocol = {
  params: { autoplay: '1' },
  subscribeMessages: ['play', 'ended'].map((value) =>
    JSON.stringify({ context: 'player.js', version: '0.0.11', method: 'addEventListener', value }),
  ),
  read: ({ context, event }) => (context === 'player.js' ? stateFromName(event, 'play', 'ended') : null),
}

/** The protocols by host of the player URL, which server/core/video-links builds. */
const playerProtocols: Record<string, PlayerProtocol> = {
  'www.youtube-nocookie.com': youtube,
  'player.vimeo.com': vimeo,
  'geo.dailymotion.com': dailymotion,
  'player.twitch.tv': twitch,
  'clips.twitch.tv': { params: { autoplay: 'true' } },
  'www.tiktok.com': tiktok,
  'rutube.ru': rutube,
  'streamable.com': playerJs,
  'iframe.mediadelivery.net': { ...playerJs, params: { autoplay: 'true' } },
}

/**
 * Returns the player of a known host.
 * @param embedUrl the URL that the server built.
 * @param page the location of the page that shows the player.
 */
export function findKnownPlayer(embedUrl: string, page: { origin: string }): EmbeddedPlayer {
  const url = new URL(embedUrl)
  const host = Object.hasOwn(playerProtocols, url.host) ? playerProtocols[url.host] : undefined
  for (const [name, value] of Object.entries(host?.params ?? {})) url.searchParams.set(name, value)
  // YouTube only sends messages to the origin it was given.
  if (host === youtube) url.searchParams.set('origin', page.origin)
  return {
    src: host === undefined ? embedUrl : url.href,
    origin: host?.read === undefined ? null : url.origin,
    subscribeMessages: host?.subscribeMessages ?? [],
    read: (message) => host?.read?.(messageFields(message)) ?? null,
  }
}

/**
 * Returns a player for our own page around another host's player. That page passes on the messages and has an opaque
 * origin.
 */
export function embedPagePlayer(src: string): EmbeddedPlayer {
  return {
    src,
    origin: 'null',
    subscribeMessages: [],
    read: (message) => stateFromName(messageFields(message).reelmark, 'playing', 'ended'),
  }
}

/** Reads a message as an object. Players send objects, JSON or query strings. */
function messageFields(message: unknown): Fields {
  if (typeof message === 'object' && message !== null) return message as Fields
  if (typeof message !== 'string' || message.length > 10_000) return {}
  if (!message.startsWith('{')) return Object.fromEntries(new URLSearchParams(message))
  try {
    return JSON.parse(message) as Fields
  } catch {
    return {}
  }
}

function stateFromName(stateName: unknown, playing: string, ...ended: string[]): PlayerState | null {
  if (typeof stateName !== 'string' || stateName === '') return null
  return ended.includes(stateName) ? 'ended' : stateName === playing ? 'playing' : null
}

/** Reads YouTube's numeric states, which other players use as well. */
function stateFromNumber(state: unknown): PlayerState | null {
  return state === 0 ? 'ended' : state === 1 ? 'playing' : null
}
