/** The protocols of known players: how to request their state, how they report it by messages to the page, and seeking. */

export type PlayerState = 'playing' | 'ended'
/** `assumed-ended`: the player reports nothing, and the duration of the video has passed. */
export type PlaybackState = PlayerState | 'assumed-ended'

export interface EmbeddedPlayer {
  /** The URL for the frame. It starts playback, because the frame is loaded when the user clicks play. */
  src: string
  /** The origin of its messages; null if it never reports the end. */
  origin: string | null
  /** Sent to the player until it responds. */
  subscribeMessages: readonly unknown[]
  /** Returns the state that a message reports; null for other messages. */
  read: (message: unknown) => PlayerState | null
  /** Returns the time in seconds that a message reports; null for other messages. */
  readSeconds: (message: unknown) => number | null
  /** Returns the messages that move the player to a time and play it; null: it must be loaded again. */
  seekMessages: ((seconds: number) => readonly unknown[]) | null
  /** The messages that pause the player and let it continue; null: it can only be paused in its frame. */
  pauseMessages: PauseMessages | null
  /** Whether it ignores the start time of its URL, so that it is moved there once it plays. */
  startsBySeeking: boolean
}

interface PauseMessages {
  pause: unknown
  play: unknown
}

interface PlayerProtocol {
  /** Added to the player's URL. */
  params: Record<string, string>
  subscribeMessages?: readonly unknown[]
  read?: (message: Fields) => PlayerState | null
  /** Returns the time that a message reports, as the player sends it. */
  readTime?: (message: Fields) => unknown
  seekMessages?: (seconds: number) => readonly unknown[]
  pauseMessages?: PauseMessages
  startsBySeeking?: true
}

type Fields = Record<string, unknown>

const youtubeCommand = (func: string, args: unknown[]) =>
  JSON.stringify({ event: 'command', func, args, id: 1, channel: 'widget' })

const youtube: PlayerProtocol = {
  // https://developers.google.com/youtube/player_parameters; the messages are those of its iframe API.
  params: { autoplay: '1', enablejsapi: '1' },
  subscribeMessages: [
    JSON.stringify({ event: 'listening', id: 1, channel: 'widget' }),
    youtubeCommand('addEventListener', ['onStateChange']),
  ],
  read: ({ event, info }) =>
    stateFromNumber(event === 'onStateChange' ? info : messageFields(info).playerState),
  readTime: ({ event, info }) => event === 'infoDelivery' && messageFields(info).currentTime,
  seekMessages: (seconds) => [youtubeCommand('seekTo', [seconds, true]), youtubeCommand('playVideo', [])],
  pauseMessages: { pause: youtubeCommand('pauseVideo', []), play: youtubeCommand('playVideo', []) },
}

const vimeo: PlayerProtocol = {
  // https://github.com/vimeo/player.js
  params: { autoplay: '1' },
  subscribeMessages: ['play', 'ended', 'timeupdate'].map((value) => ({ method: 'addEventListener', value })),
  read: ({ event }) => stateFromName(event, 'play', 'ended'),
  readTime: ({ event, data }) => event === 'timeupdate' && messageFields(data).seconds,
  seekMessages: (seconds) => [{ method: 'setCurrentTime', value: seconds }, { method: 'play' }],
  pauseMessages: { pause: { method: 'pause' }, play: { method: 'play' } },
}

const dailymotion: PlayerProtocol = {
  // Dailymotion's own script requests `api=postMessage` and receives `event=video_end` as a query string.
  params: { autoplay: '1', api: 'postMessage' },
  read: ({ event }) => stateFromName(event, 'playing', 'video_end', 'end'),
  // A query string, so that the time is a text.
  readTime: ({ event, time }) => event === 'timeupdate' && typeof time === 'string' && Number(time),
}

const twitchPlayer = 'twitch-embed-player-proxy'

const twitch: PlayerProtocol = {
  // https://dev.twitch.tv/docs/embed/video-and-clips
  params: { autoplay: 'true' },
  read: ({ namespace, eventName, params }) => {
    if (!String(namespace).startsWith('twitch-embed')) return null
    if (eventName === 'UPDATE_STATE') return stateFromName(messageFields(params).playback, 'Playing', 'Ended')
    return stateFromName(eventName, 'playing', 'ended')
  },
  readTime: ({ namespace, eventName, params }) =>
    namespace === twitchPlayer && eventName === 'UPDATE_STATE' && messageFields(params).currentTime,
  // Commands are numbers: 4 seeks, 3 plays, 2 pauses (https://github.com/twitchdev/issues/issues/125).
  seekMessages: (seconds) => [
    { namespace: twitchPlayer, eventName: 4, params: seconds },
    { namespace: twitchPlayer, eventName: 3, params: null },
  ],
  pauseMessages: {
    pause: { namespace: twitchPlayer, eventName: 2, params: null },
    play: { namespace: twitchPlayer, eventName: 3, params: null },
  },
}

const tiktok: PlayerProtocol = {
  // https://developers.tiktok.com/doc/embed-player
  params: { autoplay: '1' },
  read: (message) =>
    message['x-tiktok-player'] === true && message.type === 'onStateChange'
      ? stateFromNumber(message.value)
      : null,
  readTime: (message) =>
    message['x-tiktok-player'] === true &&
    message.type === 'onCurrentTime' &&
    messageFields(message.value).currentTime,
  seekMessages: (seconds) => [
    { 'x-tiktok-player': true, type: 'seekTo', value: seconds },
    { 'x-tiktok-player': true, type: 'play', value: null },
  ],
  pauseMessages: {
    pause: { 'x-tiktok-player': true, type: 'pause', value: null },
    play: { 'x-tiktok-player': true, type: 'play', value: null },
  },
  startsBySeeking: true,
}

const rutube: PlayerProtocol = {
  // https://rutube.ru/info/embed
  params: {},
  read: ({ type, data }) =>
    stateFromName(type, '', 'player:playComplete') ??
    (type === 'player:changeState' ? stateFromName(messageFields(data).state, 'playing') : null),
  readTime: ({ type, data }) => type === 'player:currentTime' && messageFields(data).time,
  seekMessages: (seconds) => [
    JSON.stringify({ type: 'player:setCurrentTime', data: { time: seconds } }),
    JSON.stringify({ type: 'player:play', data: {} }),
  ],
  pauseMessages: {
    pause: JSON.stringify({ type: 'player:pause', data: {} }),
    play: JSON.stringify({ type: 'player:play', data: {} }),
  },
}

const playerJsMessage = (fields: Fields) =>
  JSON.stringify({ context: 'player.js', version: '0.0.11', ...fields })

/** https://github.com/embedly/player.js: a protocol shared by several hosts. */
const playerJs: PlayerProtocol = {
  params: { autoplay: '1' },
  subscribeMessages: ['play', 'ended', 'timeupdate'].map((value) =>
    playerJsMessage({ method: 'addEventListener', value }),
  ),
  read: ({ context, event }) => (context === 'player.js' ? stateFromName(event, 'play', 'ended') : null),
  readTime: ({ context, event, value }) =>
    context === 'player.js' && event === 'timeupdate' && messageFields(value).seconds,
  pauseMessages: { pause: playerJsMessage({ method: 'pause' }), play: playerJsMessage({ method: 'play' }) },
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
    readSeconds: (message) => validSeconds(host?.readTime?.(messageFields(message))),
    seekMessages: host?.seekMessages ?? null,
    pauseMessages: host?.pauseMessages ?? null,
    startsBySeeking: host?.startsBySeeking ?? false,
  }
}

/**
 * Returns a player for our own page around another host's player. That page passes on the messages in both directions
 * and has an opaque origin.
 * @param canSeek whether it contains a player that can be moved to a time
 */
export function embedPagePlayer(src: string, canSeek: boolean): EmbeddedPlayer {
  return {
    src,
    origin: 'null',
    subscribeMessages: [],
    read: (message) => stateFromName(messageFields(message).reelmark, 'playing', 'ended'),
    readSeconds: (message) => {
      const { reelmark, seconds } = messageFields(message)
      return reelmark === 'time' ? validSeconds(seconds) : null
    },
    seekMessages: canSeek ? (seconds) => [{ reelmark: 'seek', seconds }] : null,
    pauseMessages: canSeek ? { pause: { reelmark: 'pause' }, play: { reelmark: 'play' } } : null,
    startsBySeeking: false,
  }
}

function validSeconds(time: unknown): number | null {
  return typeof time === 'number' && Number.isFinite(time) && time >= 0 ? time : null
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
