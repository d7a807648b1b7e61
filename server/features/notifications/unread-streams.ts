/**
 * Unread counts, live: the open streams of one process. Whoever is rung (notify.ts) is counted anew, at most once a
 * second however often; a new bookmark of somebody whom many follow costs one statement for all who listen here.
 */
import { Readable } from 'node:stream'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { SessionViewer } from '../../core/auth/session.ts'
import type { Sql } from '../../core/database/database.ts'
import { ApiError } from '../../core/http/errors.ts'
import type { Log } from '../../core/log.ts'
import { bookmarkSavedChannel, notificationsChangedChannel } from './notify.ts'
import { countUnread, findActiveSessions, findListenersToNotify } from './queries.ts'

export interface StreamOptions {
  /** Milliseconds between two signs of life; at each it is looked at whether the session still is. */
  heartbeat?: number
  /** Milliseconds within which somebody is counted once. */
  pause?: number
  /** Streams of one person in one process. */
  maxPerUser?: number
  /** Streams of one process. */
  maxStreams?: number
}

export interface UnreadStreams {
  /** @throws ApiError('rate-limited') where the person has enough of them, ('unavailable') where the process has. */
  open(viewer: SessionViewer): Promise<Readable>
  /** Ends them all, and opens no more. */
  close(): void
}

interface Stream {
  session_id: number
  out: Readable
  /** Says a count, once there is room for it: of several meanwhile the last. */
  send(count: number): void
  /** A sign of life; false where the one before is not gone yet. */
  heartbeat(): boolean
}

interface Listener {
  streams: Set<Stream>
  count: number
  isCounting: boolean
  isStale: boolean
}

/** Their own; nothing is listened to before the first stream is opened. */
export function createUnreadStreams(
  db: Sql,
  log: Log,
  { heartbeat = 25_000, pause = 1000, maxPerUser = 10, maxStreams = 10_000 }: StreamOptions = {},
): UnreadStreams {
  const listeners = new Map<number, Listener>()
  let size = 0
  let isClosed = false
  let listening: Promise<unknown> | null = null
  const pauses = new Set<NodeJS.Timeout>()

  /** Failures are for the next ring, or the next connection, to make good. */
  const logErrors = (work: Promise<unknown>) =>
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
      sendToAll(listener, await countUnread(db, userId))
    } finally {
      const timer = setTimeout(() => {
        pauses.delete(timer)
        listener.isCounting = false
        if (listener.isStale && listener.streams.size > 0) logErrors(recount(userId))
      }, pause)
      pauses.add(timer)
    }
  }

  function sendToAll(listener: Listener, count: number): void {
    if (listener.count === count) return
    listener.count = count
    for (const stream of listener.streams) stream.send(count)
  }

  async function notifyOfSave(bookmarkId: number): Promise<void> {
    if (listeners.size === 0 || isClosed) return
    for (const id of await findListenersToNotify(db, bookmarkId, [...listeners.keys()])) {
      const listener = listeners.get(id)
      if (listener !== undefined) sendToAll(listener, Math.min(limits.unreadMax, listener.count + 1))
    }
  }

  /** One connection of the process, shared with whatever else it listens to. */
  async function listen(): Promise<void> {
    // After the connection was lost, nobody knows what was missed.
    const recountAll = () => {
      for (const id of listeners.keys()) logErrors(recount(id))
    }
    await db.listen(notificationsChangedChannel, (id) => logErrors(recount(Number(id))), recountAll)
    await db.listen(bookmarkSavedChannel, (id) => logErrors(notifyOfSave(Number(id))))
  }

  const beating = setInterval(() => logErrors(beat()), heartbeat)
  beating.unref()

  async function beat(): Promise<void> {
    const all = [...listeners.values()].flatMap(({ streams }) => [...streams])
    if (all.length === 0) return
    const live = await findActiveSessions(db, [...new Set(all.map(({ session_id }) => session_id))])
    for (const { session_id, out, heartbeat: send } of all) {
      if (!live.has(session_id)) out.push(null)
      // Whoever takes nothing any more holds a connection for nobody.
      else if (!send()) out.destroy()
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
      if (isClosed || size >= maxStreams) throw new ApiError('unavailable', {}, 5)
      if ((listeners.get(id)?.streams.size ?? 0) >= maxPerUser) throw new ApiError('rate-limited', {}, 60)
      const stream = createStream(session_id)
      const listener = add(id, stream)
      try {
        listening ??= listen().catch((error: unknown) => {
          listening = null
          throw error
        })
        await listening
        // Counted once it is listened to: nothing falls in between.
        const count = await countUnread(db, id)
        stream.send(count)
        sendToAll(listener, count)
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

function createStream(session_id: number): Stream {
  let hasRoom = true
  let waiting: string | null = null
  let lastSent: number | null = null
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
    send(count) {
      if (count === lastSent) return
      lastSent = count
      const text = `event: unread\ndata: ${JSON.stringify({ count })}\n\n`
      if (hasRoom) hasRoom = out.push(text)
      else waiting = text
    },
    heartbeat() {
      if (!hasRoom) return false
      hasRoom = out.push(': \n\n')
      return true
    },
  }
}
