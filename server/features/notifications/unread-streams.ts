/**
 * Streams of unread counts, as held open by one process. A published change (notify.ts) causes a recount, at most once
 * per second and user. A new bookmark of a user with many followers costs one statement for all listeners.
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
  /** Milliseconds between heartbeats. Each heartbeat also checks that the sessions are still active. */
  heartbeatMs?: number
  /** Minimum time between two counts for one user, in milliseconds. */
  minIntervalMs?: number
  /** Maximum number of streams per user in one process. */
  maxPerUser?: number
  /** Maximum number of streams in one process. */
  maxStreams?: number
  /** Called for each event before its counts are sent. */
  onEvent?: () => void
}

export interface UnreadStreams {
  /**
   * Opens a stream.
   * @throws ApiError('rate-limited') above the limit per user, ('unavailable') above the limit per process
   */
  open(viewer: SessionViewer): Promise<Readable>
  /** Ends all streams and opens no new ones. */
  close(): void
}

interface Stream {
  session_id: number
  out: Readable
  /** Sends a count as soon as the client can take it. Of several pending counts only the last is sent. */
  send(count: number): void
  /** Sends a heartbeat; returns false if the client has not read the one before. */
  heartbeat(): boolean
}

interface Listener {
  streams: Set<Stream>
  count: number
  isCounting: boolean
  isStale: boolean
}

/** Creates the streams of this process. Starts to listen for events when the first stream is opened. */
export function createUnreadStreams(
  db: Sql,
  log: Log,
  {
    heartbeatMs = 25_000,
    minIntervalMs = 1000,
    maxPerUser = 10,
    maxStreams = 10_000,
    onEvent = () => {},
  }: StreamOptions = {},
): UnreadStreams {
  const listeners = new Map<number, Listener>()
  let streamCount = 0
  let isClosed = false
  let subscribed: Promise<unknown> | null = null
  const timers = new Set<NodeJS.Timeout>()

  /** Logs failures. The next event or reconnection repeats the count. */
  const logErrors = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => {
      if (!isClosed) log.warn({ err: error }, 'unread counts could not be sent')
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
        timers.delete(timer)
        listener.isCounting = false
        if (listener.isStale && listener.streams.size > 0) logErrors(recount(userId))
      }, minIntervalMs)
      timers.add(timer)
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

  /** Subscribes to the events, on the connection that the process uses for all its subscriptions. */
  async function subscribe(): Promise<void> {
    // Events may have been missed while the connection was lost.
    const recountAll = () => {
      for (const id of listeners.keys()) logErrors(recount(id))
    }
    const handle = (work: (id: number) => Promise<void>) => (id: string) => {
      onEvent()
      logErrors(work(Number(id)))
    }
    await db.listen(notificationsChangedChannel, handle(recount), recountAll)
    await db.listen(bookmarkSavedChannel, handle(notifyOfSave))
  }

  const heartbeatTimer = setInterval(() => logErrors(checkStreams()), heartbeatMs)
  heartbeatTimer.unref()

  async function checkStreams(): Promise<void> {
    const all = [...listeners.values()].flatMap(({ streams }) => [...streams])
    if (all.length === 0) return
    const live = await findActiveSessions(db, [...new Set(all.map(({ session_id }) => session_id))])
    for (const { session_id, out, heartbeat: send } of all) {
      if (!live.has(session_id)) out.push(null)
      // A client that stopped reading would occupy a connection for nothing.
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
    streamCount += 1
    stream.out.once('close', () => {
      listener.streams.delete(stream)
      streamCount -= 1
      if (listener.streams.size === 0 && listeners.get(userId) === listener) listeners.delete(userId)
    })
    return listener
  }

  return {
    async open({ id, session_id }) {
      if (isClosed || streamCount >= maxStreams) throw new ApiError('unavailable', {}, 5)
      if ((listeners.get(id)?.streams.size ?? 0) >= maxPerUser) throw new ApiError('rate-limited', {}, 60)
      const stream = createStream(session_id)
      const listener = add(id, stream)
      try {
        subscribed ??= subscribe().catch((error: unknown) => {
          subscribed = null
          throw error
        })
        await subscribed
        // Counted after subscribing, so that no event is missed in between.
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
      clearInterval(heartbeatTimer)
      for (const timer of timers) clearTimeout(timer)
      for (const { streams } of listeners.values()) for (const { out } of streams) out.push(null)
    },
  }
}

function createStream(session_id: number): Stream {
  let hasRoom = true
  let waiting: string | null = null
  let lastSent: number | null = null
  const out = new Readable({
    // Room for two events; a reading client empties it immediately.
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
