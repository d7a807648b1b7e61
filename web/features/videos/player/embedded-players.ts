/** Players of other sites as the page uses them: URL, rules of the frame, and messages. */
import {
  type FrameRules,
  findPlayerHost,
  knownPlayerRules,
  otherPlayerRules,
} from '@reelmark/contract/player-hosts.ts'
import {
  messageFields,
  type PauseMessages,
  type PlayerState,
  playerProtocols,
  type ReportedProblem,
  stateFromName,
  validSeconds,
} from './player-protocols.ts'

/** `assumed-ended`: the player reports nothing, and the duration of the video has passed. */
export type PlaybackState = PlayerState | 'assumed-ended'

export interface EmbeddedPlayer {
  /** The URL for the frame. It starts playback, because the frame is loaded when the user clicks play. */
  src: string
  rules: FrameRules
  /** The origin of its messages; null if it sends none. */
  origin: string | null
  /** Sent to the player until it responds. */
  subscribeMessages: readonly unknown[]
  /** Returns the state that a message reports; null for other messages. */
  read: (message: unknown) => PlayerState | null
  /** Returns the time in seconds that a message reports; null for other messages. */
  readSeconds: (message: unknown) => number | null
  /** Returns the problem that a message reports; null for other messages. */
  readProblem: (message: unknown) => ReportedProblem | null
  /** Returns the messages that move the player to a time and play it; null: it must be loaded again. */
  seekMessages: ((seconds: number) => readonly unknown[]) | null
  /** The messages that pause the player and let it continue; null: it can only be paused in its frame. */
  pauseMessages: PauseMessages | null
  /** Whether it ignores the start time of its URL, so that it is moved there once it plays. */
  startsBySeeking: boolean
}

/**
 * Returns the player of a known host.
 * @param embedUrl the URL that the server built.
 * @param page the location of the page that shows the player.
 */
export function findKnownPlayer(embedUrl: string, page: { origin: string }): EmbeddedPlayer {
  const url = new URL(embedUrl)
  const host = findPlayerHost(embedUrl)
  const protocol = host.messages === undefined ? null : playerProtocols[host.messages]
  for (const [name, value] of Object.entries(host.params ?? {})) url.searchParams.set(name, value)
  if (host.needsOrigin === true) url.searchParams.set('origin', page.origin)
  return {
    src: host.params === undefined ? embedUrl : url.href,
    rules: knownPlayerRules,
    origin: protocol === null ? null : url.origin,
    subscribeMessages: protocol?.subscribeMessages ?? [],
    read: (message) => protocol?.read(messageFields(message)) ?? null,
    readSeconds: (message) => validSeconds(protocol?.readTime?.(messageFields(message))),
    readProblem: (message) => protocol?.readProblem?.(messageFields(message)) ?? null,
    seekMessages: protocol?.seekMessages ?? null,
    pauseMessages: protocol?.pauseMessages ?? null,
    startsBySeeking: host.startsBySeeking === true,
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
    rules: otherPlayerRules,
    origin: 'null',
    subscribeMessages: [],
    read: (message) => stateFromName(messageFields(message).reelmark, 'playing', 'ended'),
    readSeconds: (message) => {
      const { reelmark, seconds } = messageFields(message)
      return reelmark === 'time' ? validSeconds(seconds) : null
    },
    readProblem: (message) => (messageFields(message).reelmark === 'failed' ? 'failed' : null),
    seekMessages: canSeek ? (seconds) => [{ reelmark: 'seek', seconds }] : null,
    pauseMessages: canSeek ? { pause: { reelmark: 'pause' }, play: { reelmark: 'play' } } : null,
    startsBySeeking: false,
  }
}
