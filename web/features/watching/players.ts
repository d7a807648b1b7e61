/** What the players of known hosts must be asked for, and how they tell what they do: by messages to the page. */

export type PlayerState = 'playing' | 'ended'

export interface Player {
  /** As the frame loads it: starting by itself, since it is loaded when someone pressed play. */
  src: string
  /** Where its messages come from; null where it never tells when it ends. */
  origin: string | null
  /** Said to it until it answers. */
  hello: readonly unknown[]
  /** What a message tells; null: nothing of that kind. */
  read: (message: unknown) => PlayerState | null
}

interface Host {
  /** Put into the address; null takes it out. */
  params: Record<string, string>
  hello?: readonly unknown[]
  read?: (message: Fields) => PlayerState | null
}

type Fields = Record<string, unknown>

const youtube: Host = {
  // https://developers.google.com/youtube/player_parameters; the messages are those of its iframe API.
  params: { autoplay: '1', enablejsapi: '1' },
  hello: [
    JSON.stringify({ event: 'listening', id: 1, channel: 'widget' }),
    JSON.stringify({
      event: 'command',
      func: 'addEventListener',
      args: ['onStateChange'],
      id: 1,
      channel: 'widget',
    }),
  ],
  read: ({ event, info }) => numbered(event === 'onStateChange' ? info : fieldsOf(info).playerState),
}

const vimeo: Host = {
  // https://github.com/vimeo/player.js
  params: { autoplay: '1' },
  hello: ['play', 'ended'].map((value) => ({ method: 'addEventListener', value })),
  read: ({ event }) => named(event, 'play', 'ended'),
}

const dailymotion: Host = {
  // Its own script asks with `api=postMessage`, and is told `event=video_end` as a query string.
  params: { autoplay: '1', api: 'postMessage' },
  read: ({ event }) => named(event, 'playing', 'video_end', 'end'),
}

const twitch: Host = {
  // https://dev.twitch.tv/docs/embed/video-and-clips
  params: { autoplay: 'true' },
  read: ({ namespace, eventName, params }) => {
    if (!String(namespace).startsWith('twitch-embed')) return null
    if (eventName === 'UPDATE_STATE') return named(fieldsOf(params).playback, 'Playing', 'Ended')
    return named(eventName, 'playing', 'ended')
  },
}

const tiktok: Host = {
  // https://developers.tiktok.com/doc/embed-player
  params: { autoplay: '1' },
  read: (message) =>
    message['x-tiktok-player'] === true && message.type === 'onStateChange' ? numbered(message.value) : null,
}

const rutube: Host = {
  // https://rutube.ru/info/embed
  params: {},
  read: ({ type, data }) =>
    named(type, '', 'player:playComplete') ??
    (type === 'player:changeState' ? named(fieldsOf(data).state, 'playing') : null),
}

/** https://github.com/embedly/player.js: one way of speaking for several hosts. */
const playerJs: Host = {
  params: { autoplay: '1' },
  hello: ['play', 'ended'].map((value) =>
    JSON.stringify({ context: 'player.js', version: '0.0.11', method: 'addEventListener', value }),
  ),
  read: ({ context, event }) => (context === 'player.js' ? named(event, 'play', 'ended') : null),
}

/** By the host of the player's address, as server/core/video-links builds it. */
const hosts: Record<string, Host> = {
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

/** The player of a known host. `embedUrl` as the server rebuilt it; `page`: the address of the page that shows it. */
export function knownPlayer(embedUrl: string, page: { origin: string }): Player {
  const url = new URL(embedUrl)
  const host = Object.hasOwn(hosts, url.host) ? hosts[url.host] : undefined
  for (const [name, value] of Object.entries(host?.params ?? {})) url.searchParams.set(name, value)
  // YouTube speaks to the page that it is told of alone.
  if (host === youtube) url.searchParams.set('origin', page.origin)
  return {
    src: host === undefined ? embedUrl : url.href,
    origin: host?.read === undefined ? null : url.origin,
    hello: host?.hello ?? [],
    read: (message) => host?.read?.(fieldsOf(message)) ?? null,
  }
}

/** Our own page around the player of another host: it hands on what it is told, and has no origin. */
export function embedPagePlayer(src: string): Player {
  return {
    src,
    origin: 'null',
    hello: [],
    read: (message) => named(fieldsOf(message).reelmark, 'playing', 'ended'),
  }
}

/** A message as an object: JSON, or a query string, as some send it. */
function fieldsOf(message: unknown): Fields {
  if (typeof message === 'object' && message !== null) return message as Fields
  if (typeof message !== 'string' || message.length > 10_000) return {}
  if (!message.startsWith('{')) return Object.fromEntries(new URLSearchParams(message))
  try {
    return JSON.parse(message) as Fields
  } catch {
    return {}
  }
}

function named(word: unknown, playing: string, ...ended: string[]): PlayerState | null {
  if (typeof word !== 'string' || word === '') return null
  return ended.includes(word) ? 'ended' : word === playing ? 'playing' : null
}

/** YouTube's numbers, which others took over. */
function numbered(state: unknown): PlayerState | null {
  return state === 0 ? 'ended' : state === 1 ? 'playing' : null
}
