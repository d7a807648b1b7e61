/**
 * Keeps the unread count up to date with one stream for all tabs of a browser, because browsers allow only six
 * connections to a site over HTTP/1.1. The tab that holds the lock reads the stream and informs the others.
 */

import { countUnread } from '@reelmark/contract/notifications.ts'
import { fetchCount } from '../../shared/counts/fetch-count.ts'
import { getUnread, setUnread } from './unread.ts'
import { readStream } from './unread-stream.ts'

/** A tab hidden for this long stops following the count. */
const stopWhenHiddenMs = 5 * 60_000
const pollIntervalMs = 60_000
const maxRetryDelayMs = 60_000
/** After this number of streams without a count, the count is polled, because some proxies block streams. */
const failuresBeforePolling = 3

/** Follows the unread count of a user. Returns a function that stops it. */
export function followUnreadCount(username: string): () => void {
  const name = `reelmark-unread-${username.toLowerCase()}`
  const channel = new BroadcastChannel(name)
  let activeController: AbortController | null = null
  let isLeader = false
  let hideTimer: ReturnType<typeof setTimeout> | undefined

  channel.onmessage = ({ data }: MessageEvent<number | 'count?'>) => {
    if (typeof data === 'number') setUnread(data)
    else if (isLeader && getUnread() !== null) channel.postMessage(getUnread())
  }

  function onCount(count: number): void {
    setUnread(count)
    channel.postMessage(count)
  }

  function start(): void {
    clearTimeout(hideTimer)
    if (activeController !== null) return
    activeController = new AbortController()
    const { signal } = activeController
    channel.postMessage('count?')
    void runAsLeaderTab(name, signal, async () => {
      isLeader = true
      await readStreamUntilAborted(signal, onCount)
      isLeader = false
    })
  }

  function stop(): void {
    clearTimeout(hideTimer)
    activeController?.abort()
    activeController = null
  }

  function onVisibility(): void {
    if (document.visibilityState === 'visible') start()
    else hideTimer = setTimeout(stop, stopWhenHiddenMs)
  }

  document.addEventListener('visibilitychange', onVisibility)
  // A page in the back/forward cache must not hold the lock.
  window.addEventListener('pagehide', stop)
  window.addEventListener('pageshow', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', stop)
    window.removeEventListener('pageshow', onVisibility)
    stop()
    channel.close()
    setUnread(null)
  }
}

/** Runs the task when this tab gets the lock. Without browser locks (plain HTTP), each visible tab polls. */
async function runAsLeaderTab(name: string, signal: AbortSignal, task: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks
  if (locks === undefined) return pollUnreadCount(signal)
  // Rejected if the signal was aborted while waiting for the lock.
  await locks.request(name, { signal }, task).catch(() => undefined)
}

async function readStreamUntilAborted(signal: AbortSignal, onCount: (count: number) => void): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const { hasReceivedCount, retryAfterMs } = await readStream(signal, onCount)
    failures = hasReceivedCount ? 0 : failures + 1
    if (failures >= failuresBeforePolling) {
      const count = await fetchCount(signal, countUnread)
      if (count !== null) onCount(count)
    }
    await waitFor(Math.max(retryAfterMs, retryDelay(failures)), signal)
  }
}

async function pollUnreadCount(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const count = document.visibilityState === 'visible' ? await fetchCount(signal, countUnread) : null
    if (count !== null) setUnread(count)
    await waitFor(pollIntervalMs, signal)
  }
}

/** Returns a randomised delay, so that clients do not reconnect at the same time after a restart of the server. */
function retryDelay(failures: number): number {
  return Math.min(maxRetryDelayMs, 2 ** failures * 1000) * (0.5 + Math.random())
}

/** Waits, but ends early when the network is back. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer)
      window.removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      done()
    }
    const timer = setTimeout(finish, ms)
    window.addEventListener('online', finish)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
