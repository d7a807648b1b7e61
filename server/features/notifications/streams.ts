/**
 * Unread counts, live: the open streams of one process. Whoever is rung (notify.ts) is counted anew, at most once a
 * second however often; a new bookmark of somebody whom many follow costs one statement for all who listen here.
 */
import { Readable } from 'node:stream'
import { limits } from '@reelmark/contract/limits.ts'
import type { Sql } from '../../core/database.ts'
import { ApiError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { SignedIn } from '../../core/session.ts'
import { savedChannel, toldChannel } from './notify.ts'
import { countUnread, findLiveSessions, findToldOfSave } from './queries.ts'

export interface StreamOptions {
  /** Milliseconds between two signs of life; at each it is looked at whether the session still is. */
  heartbeat?: number
  /** Milliseconds within which somebody is counted once. */
  pause?: number
  /** Streams of one person in one process. */
  perPerson?: number
  /** Streams of one process. */
  most?: number
}

export interface Streams {
  /** @throws ApiError('too-many') where the person has enough of them, ('unavailable') where the process has. */
  open(viewer: SignedIn): Promise<Readable>
  /** Ends them all, and opens no more. */
  close(): void
}

interface Stream {
  session_id: number
  out: Readable
  /** Says a count, once there is room for it: of several meanwhile the last. */
  say(count: number): void
  /** A sign of life; false where the one before is not gone yet. */
  beat(): boolean
}

interface Listener {
  streams: Set<Stream>
  count: number
  isCounting: boolean
  isStale: boolean
}

/** Their own; nothing is listened to before the first stream is opened. */
export function openStreams(
  db: Sql,
  log: Log,
  { heartbeat = 25_000, pause = 1000, perPerson = 10, most = 10_000 }: StreamOptions = {},
): Streams {
  const listeners = new Map<number, Listener>()
  let size = 0
  let isClosed = false
  let listening: Promise<unknown> | null = null
  const pauses = new Set<NodeJS.Timeout>()

  /** Failures are for the next ring, or the next connection, to make good. */
  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => {
      if (!isClosed) log.warn({ err: error }, 'unread counts could not be told')
    })

  async function recount(userId: number): Promise<void> {
    const listener = listeners.get(userId)
    if (listener === undefined || isClosed) return
    listener.isStale = true
    if (listener.isCounting) return
    listener.isCounting = true
    try {
      listener.isStale = false
      tellAll(listener, await countUnread(db, userId))
    } finally {
      const timer = setTimeout(() => {
        pauses.delete(timer)
        listener.isCounting = false
        if (listener.isStale && listener.streams.size > 0) quietly(recount(userId))
      }, pause)
      pauses.add(timer)
    }
  }

  function tellAll(listener: Listener, count: number): void {
    if (listener.count === count) return
    listener.count = count
    for (const stream of listener.streams) stream.say(count)
  }

  async function tellOfSave(bookmarkId: number): Promise<void> {
    if (listeners.size === 0 || isClosed) return
    for (const id of await findToldOfSave(db, bookmarkId, [...listeners.keys()])) {
      const listener = listeners.get(id)
      if (listener !== undefined) tellAll(listener, Math.min(limits.unreadMax, listener.count + 1))
    }
  }

  /** One connection of the process, shared with whatever else it listens to. */
  async function listen(): Promise<void> {
    // After the connection was lost, nobody knows what was missed.
    const recountAll = () => {
      for (const id of listeners.keys()) quietly(recount(id))
    }
    await db.listen(toldChannel, (id) => quietly(recount(Number(id))), recountAll)
    await db.listen(savedChannel, (id) => quietly(tellOfSave(Number(id))))
  }

  const beating = setInterval(() => quietly(beat()), heartbeat)
  beating.unref()

  async function beat(): Promise<void> {
    const all = [...listeners.values()].flatMap(({ streams }) => [...streams])
    if (all.length === 0) return
    const live = await findLiveSessions(db, [...new Set(all.map(({ session_id }) => session_id))])
    for (const { session_id, out, beat: say } of all) {
      if (!live.has(session_id)) out.push(null)
      // Whoever takes nothing any more holds a connection for nobody.
      else if (!say()) out.destroy()
    }
  }

  function add(userId: number, stream: Stream): Listener {
    const listener = listeners.get(userId) ?? {
      streams: new Set<Stream>(),
      count: -1,
      isCounting: false,
      isStale: false,
    }
    listeners.set(userId, listener)
    listener.streams.add(stream)
    size += 1
    stream.out.once('close', () => {
      listener.streams.delete(stream)
      size -= 1
      if (listener.streams.size === 0 && listeners.get(userId) === listener) listeners.delete(userId)
    })
    return listener
  }

  return {
    async open({ id, session_id }) {
      if (isClosed || size >= most) throw new ApiError('unavailable', {}, 5)
      if ((listeners.get(id)?.streams.size ?? 0) >= perPerson) throw new ApiError('too-many', {}, 60)
      const stream = makeStream(session_id)
      const listener = add(id, stream)
      try {
        listening ??= listen().catch((error: unknown) => {
          listening = null
          throw error
        })
        await listening
        // Counted once it is listened to: nothing falls in between.
        const count = await countUnread(db, id)
        stream.say(count)
        tellAll(listener, count)
      } catch (error) {
        stream.out.destroy()
        throw error
      }
      return stream.out
    },
    close() {
      isClosed = true
      clearInterval(beating)
      for (const timer of pauses) clearTimeout(timer)
      for (const { streams } of listeners.values()) for (const { out } of streams) out.push(null)
    },
  }
}

function makeStream(session_id: number): Stream {
  let hasRoom = true
  let waiting: string | null = null
  let said: number | null = null
  const out = new Readable({
    // Two events: whoever takes them has them at once.
    highWaterMark: 64,
    read() {
      hasRoom = true
      if (waiting === null) return
      const text = waiting
      waiting = null
      hasRoom = out.push(text)
    },
  })
  return {
    session_id,
    out,
    say(count) {
      if (count === said) return
      said = count
      const text = `event: unread\ndata: ${JSON.stringify({ count })}\n\n`
      if (hasRoom) hasRoom = out.push(text)
      else waiting = text
    },
    beat() {
      if (!hasRoom) return false
      hasRoom = out.push(': \n\n')
      return true
    },
  }
}
