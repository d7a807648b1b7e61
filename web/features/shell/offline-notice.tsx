import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useRef } from 'react'
import { reportServerReachable, useServerReachable } from '../../shared/api/connectivity.ts'

/** Milliseconds between two looks whether the server is there again: longer each time. */
const retryDelaysMs = [2000, 4000, 8000, 15_000, 30_000]
/** What comes and goes more often than this is looked for ever less: it may be one call alone that never comes through. */
const stableAfterMs = 60_000
const reloadedKey = 'offline-reloaded-at'

/** Says that the server cannot be reached, looks for it meanwhile, and brings the page up to date when it is back. */
export function OfflineNotice() {
  const reachable = useServerReachable()
  useReconnectAttempts(reachable)
  useRefetchAfterReconnect(reachable)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-40 flex justify-center p-4 print:hidden"
    >
      {!reachable && (
        <p className="flex max-w-[68ch] items-center gap-3 rounded-card border border-line-strong bg-raised px-4 py-3 text-14 text-ink">
          <WifiOff className="size-5 shrink-0 text-accent-ink" />
          You're offline. Your drafts are saved, and we'll reconnect automatically.
        </p>
      )}
    </div>
  )
}

function useReconnectAttempts(reachable: boolean): void {
  useEffect(() => {
    const lost = () => reportServerReachable(false)
    if (!navigator.onLine) lost()
    window.addEventListener('offline', lost)
    return () => window.removeEventListener('offline', lost)
  }, [])
  const looks = useRef({ count: 0, lastAt: 0 })
  useEffect(() => {
    if (reachable) return
    const ending = new AbortController()
    if (Date.now() - looks.current.lastAt > stableAfterMs) looks.current.count = 0
    const pause = () => retryDelaysMs[looks.current.count++] ?? retryDelaysMs.at(-1)
    let timer = setTimeout(look, pause())
    async function look() {
      clearTimeout(timer)
      timer = setTimeout(look, pause())
      looks.current.lastAt = Date.now()
      try {
        await fetch('/healthz', { cache: 'no-store', signal: ending.signal })
        reportServerReachable(true)
      } catch {
        // Not yet.
      }
    }
    window.addEventListener('online', look)
    return () => {
      ending.abort()
      clearTimeout(timer)
      window.removeEventListener('online', look)
    }
  }, [reachable])
}

function useRefetchAfterReconnect(reachable: boolean): void {
  const router = useRouter()
  const client = useQueryClient()
  const wasLost = useRef(false)
  useEffect(() => {
    if (!reachable) {
      wasLost.current = true
      return
    }
    if (!wasLost.current) return
    wasLost.current = false
    void client.invalidateQueries()
    if (!router.state.matches.some(({ status }) => status === 'error')) return
    // Parts of the page's code may be what is missing; drafts outlive that.
    if (mayReload()) window.location.reload()
    else void router.invalidate()
  }, [reachable, router, client])
}

function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(reloadedKey))
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    return Date.now() - last > stableAfterMs
  } catch {
    return false
  }
}
