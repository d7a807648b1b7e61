/**
 * Keeps the unread count live, by one stream for all tabs of a browser: browsers allow six connections to a site over
 * HTTP/1.1, and many tabs must not use them up. The tab that holds the lock listens and tells the others.
 */

import { countUnread } from '@reelmark/contract/notifications.ts'
import { fetchCount } from '../../shared/counts/fetch-count.ts'
import { getUnread, setUnread } from './unread.ts'
import { readStream } from './unread-stream.ts'

/** A tab that nobody has looked at for so long needs to know nothing. */
const stopWhenHiddenMs = 5 * 60_000
const pollIntervalMs = 60_000
const maxRetryDelayMs = 60_000
/** So often a stream may say nothing before the count is asked for instead: some proxies hold streams back. */
const failuresBeforePolling = 3

/** Follows the count of whoever is signed in under a name. Returns what stops it. */
export function followUnreadCount(username: string): () => void {
  const name = `reelmark-unread-${username.toLowerCase()}`
  const channel = new BroadcastChannel(name)
  let awake: AbortController | null = null
  let isLeader = false
  let hiding: ReturnType<typeof setTimeout> | undefined

  channel.onmessage = ({ data }: MessageEvent<number | 'what is it?'>) => {
    if (typeof data === 'number') setUnread(data)
    else if (isLeader && getUnread() !== null) channel.postMessage(getUnread())
  }

  function onCount(count: number): void {
    setUnread(count)
    channel.postMessage(count)
  }

  function wake(): void {
    clearTimeout(hiding)
    if (awake !== null) return
    awake = new AbortController()
    const { signal } = awake
    channel.postMessage('what is it?')
    void runAsLeaderTab(name, signal, async () => {
      isLeader = true
      await readStreamUntilAborted(signal, onCount)
      isLeader = false
    })
  }

  function sleep(): void {
    clearTimeout(hiding)
    awake?.abort()
    awake = null
  }

  function onVisibility(): void {
    if (document.visibilityState === 'visible') wake()
    else hiding = setTimeout(sleep, stopWhenHiddenMs)
  }

  document.addEventListener('visibilitychange', onVisibility)
  // A page that the browser keeps for going back must not hold the lock meanwhile.
  window.addEventListener('pagehide', sleep)
  window.addEventListener('pageshow', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', sleep)
    window.removeEventListener('pageshow', onVisibility)
    sleep()
    channel.close()
    setUnread(null)
  }
}

/** Does the work when it is this tab's turn. Without locks (plain HTTP) each tab asks now and then while seen. */
async function runAsLeaderTab(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks
  if (locks === undefined) return pollUnreadCount(signal)
  // Refused where its turn had not come before the signal.
  await locks.request(name, { signal }, work).catch(() => undefined)
}

async function readStreamUntilAborted(signal: AbortSignal, onCount: (count: number) => void): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const { hasReceivedCount: any, retryAfterMs: wait } = await readStream(signal, onCount)
    failures = any ? 0 : failures + 1
    if (failures >= failuresBeforePolling) {
      const count = await fetchCount(signal, countUnread)
      if (count !== null) onCount(count)
    }
    await waitFor(Math.max(wait, retryDelay(failures)), signal)
  }
}

async function pollUnreadCount(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const count = document.visibilityState === 'visible' ? await fetchCount(signal, countUnread) : null
    if (count !== null) setUnread(count)
    await waitFor(pollIntervalMs, signal)
  }
}

/** Not all at once: a server that starts again is looked for by everybody. */
function retryDelay(failures: number): number {
  return Math.min(maxRetryDelayMs, 2 ** failures * 1000) * (0.5 + Math.random())
}

/** Ends early when the network is back. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
