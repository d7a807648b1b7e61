/**
 * The messages of known players: how to request their state, how they report it to the page, and commands. Which host uses
 * which protocol is in contract/player-hosts.ts.
 */
import type { PlayerMessages } from '@reelmark/contract/player-hosts.ts'

export type PlayerState = 'playing' | 'ended'

/** Why a player reports that it cannot play: the video is missing, its uploader forbids other sites, or another reason. */
export type ReportedProblem = 'missing' | 'forbidden' | 'failed'

export interface PauseMessages {
  pause: unknown
  play: unknown
}

type Fields = Record<string, unknown>

interface PlayerProtocol {
  /** Sent to the player until it responds. */
  subscribeMessages?: readonly unknown[]
  /** Returns the state that a message reports; null for other messages. */
  read: (message: Fields) => PlayerState | null
  /** Returns the time that a message reports, as the player sends it. */
  readTime?: (message: Fields) => unknown
  readProblem?: (message: Fields) => ReportedProblem | null
  seekMessages?: (seconds: number) => readonly unknown[]
  pauseMessages?: PauseMessages
}

const youtubeCommand = (func: string, args: unknown[]) =>
  JSON.stringify({ event: 'command', func, args, id: 1, channel: 'widget' })

const youtube: PlayerProtocol = {
  // https://developers.google.com/youtube/player_parameters; the messages are those of its iframe API.
  subscribeMessages: [
    JSON.stringify({ event: 'listening', id: 1, channel: 'widget' }),
    ...['onStateChange', 'onError'].map((name) => youtubeCommand('addEventListener', [name])),
  ],
  read: ({ event, info }) =>
    stateFromNumber(event === 'onStateChange' ? info : messageFields(info).playerState),
  readTime: ({ event, info }) => event === 'infoDelivery' && messageFields(info).currentTime,
  // 100: removed or private; 101 and 150: not allowed on other sites; 2, 5 and 153: refused or broken.
  readProblem: ({ event, info }) =>
    event !== 'onError'
      ? null
      : info === 100
        ? 'missing'
        : info === 101 || info === 150
          ? 'forbidden'
          : 'failed',
  seekMessages: (seconds) => [youtubeCommand('seekTo', [seconds, true]), youtubeCommand('playVideo', [])],
  pauseMessages: { pause: youtubeCommand('pauseVideo', []), play: youtubeCommand('playVideo', []) },
}

const vimeo: PlayerProtocol = {
  // https://github.com/vimeo/player.js
  subscribeMessages: ['play', 'ended', 'timeupdate', 'error'].map((value) => ({
    method: 'addEventListener',
    value,
  })),
  read: ({ event }) => stateFromName(event, 'play', 'ended'),
  readTime: ({ event, data }) => event === 'timeupdate' && messageFields(data).seconds,
  readProblem: ({ event, data }) => {
    const { name, method } = messageFields(data)
    // Errors with a method are about a command, such as a time after the end.
    if (event !== 'error' || method !== undefined) return null
    return name === 'NotFoundError' ? 'missing' : name === 'PrivacyError' ? 'forbidden' : 'failed'
  },
  seekMessages: (seconds) => [{ method: 'setCurrentTime', value: seconds }, { method: 'play' }],
  pauseMessages: { pause: { method: 'pause' }, play: { method: 'play' } },
}

const dailymotion: PlayerProtocol = {
  // Dailymotion's own script requests `api=postMessage` and receives `event=video_end` as a query string.
  read: ({ event }) => stateFromName(event, 'playing', 'video_end', 'end'),
  // A query string, so that the time is a text.
  readTime: ({ event, time }) => event === 'timeupdate' && typeof time === 'string' && Number(time),
  readProblem: ({ event }) => (event === 'error' ? 'failed' : null),
}

const twitchPlayer = 'twitch-embed-player-proxy'

const twitch: PlayerProtocol = {
  // https://dev.twitch.tv/docs/embed/video-and-clips: none of its events reports an error.
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
  read: (message) =>
    message['x-tiktok-player'] === true && message.type === 'onStateChange'
      ? stateFromNumber(message.value)
      : null,
  readTime: (message) =>
    message['x-tiktok-player'] === true &&
    message.type === 'onCurrentTime' &&
    messageFields(message.value).currentTime,
  readProblem: (message) =>
    message['x-tiktok-player'] === true && (message.type === 'onPlayerError' || message.type === 'onError')
      ? 'failed'
      : null,
  seekMessages: (seconds) => [
    { 'x-tiktok-player': true, type: 'seekTo', value: seconds },
    { 'x-tiktok-player': true, type: 'play', value: null },
  ],
  pauseMessages: {
    pause: { 'x-tiktok-player': true, type: 'pause', value: null },
    play: { 'x-tiktok-player': true, type: 'play', value: null },
  },
}

const rutube: PlayerProtocol = {
  // https://rutube.ru/info/embed and https://github.com/rutube/RutubePlayerJSAPI
  read: ({ type, data }) =>
    stateFromName(type, '', 'player:playComplete') ??
    (type === 'player:changeState' ? stateFromName(messageFields(data).state, 'playing') : null),
  readTime: ({ type, data }) => type === 'player:currentTime' && messageFields(data).time,
  // Its error codes are not documented.
  readProblem: ({ type }) => (type === 'player:error' ? 'failed' : null),
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
  subscribeMessages: ['play', 'ended', 'timeupdate', 'error'].map((value) =>
    playerJsMessage({ method: 'addEventListener', value }),
  ),
  read: ({ context, event }) => (context === 'player.js' ? stateFromName(event, 'play', 'ended') : null),
  readTime: ({ context, event, value }) =>
    context === 'player.js' && event === 'timeupdate' && messageFields(value).seconds,
  readProblem: ({ context, event }) => (context === 'player.js' && event === 'error' ? 'failed' : null),
  pauseMessages: { pause: playerJsMessage({ method: 'pause' }), play: playerJsMessage({ method: 'play' }) },
}

export const playerProtocols: Readonly<Record<PlayerMessages, PlayerProtocol>> = {
  dailymotion,
  'player.js': playerJs,
  rutube,
  tiktok,
  twitch,
  vimeo,
  youtube,
}

export function validSeconds(time: unknown): number | null {
  return typeof time === 'number' && Number.isFinite(time) && time >= 0 ? time : null
}

/** Reads a message as an object. Players send objects, JSON or query strings. */
export function messageFields(message: unknown): Fields {
  if (typeof message === 'object' && message !== null) return message as Fields
  if (typeof message !== 'string' || message.length > 10_000) return {}
  if (!message.startsWith('{')) return Object.fromEntries(new URLSearchParams(message))
  try {
    return JSON.parse(message) as Fields
  } catch {
    return {}
  }
}

export function stateFromName(stateName: unknown, playing: string, ...ended: string[]): PlayerState | null {
  if (typeof stateName !== 'string' || stateName === '') return null
  return ended.includes(stateName) ? 'ended' : stateName === playing ? 'playing' : null
}

/** Reads YouTube's numeric states, which other players use as well. */
function stateFromNumber(state: unknown): PlayerState | null {
  return state === 0 ? 'ended' : state === 1 ? 'playing' : null
}
