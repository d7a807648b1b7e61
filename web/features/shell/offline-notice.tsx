import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import WifiOff from 'lucide-react/icons/wifi-off'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { reportServerReachable, useServerReachable } from '../../shared/api/connectivity.ts'
import { IconButton } from '../../ui/button.tsx'

/** Milliseconds between attempts to reach the server; the last value repeats. */
const retryDelaysMs = [2000, 4000, 8000, 15_000, 30_000]
/** If the connection is lost again within this time, backing off continues: a single endpoint may be what fails. */
const stableAfterMs = 60_000
const reloadedKey = 'offline-reloaded-at'

/** Shows a notice while the server cannot be reached, polls it, and refetches all data once it responds. */
export function OfflineNotice() {
  const isReachable = useServerReachable()
  const [isDismissed, setDismissed] = useState(false)
  // It is shown again for the next lost connection.
  if (isReachable && isDismissed) setDismissed(false)
  useReconnectAttempts(isReachable)
  useRefetchAfterReconnect(isReachable)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--above-bar) z-40 flex justify-center p-4 print:hidden"
    >
      {!isReachable && !isDismissed && (
        <div className="pointer-events-auto flex max-w-[68ch] items-center gap-3 rounded-card border border-line-strong bg-raised py-1 pr-1 pl-4 text-13 text-ink sm:text-14">
          <WifiOff className="size-5 shrink-0 text-accent-ink" />
          <p>You're offline. Your drafts are saved, and we'll reconnect automatically.</p>
          <IconButton label="Dismiss" size="sm" onClick={() => setDismissed(true)}>
            <X className="size-4" />
          </IconButton>
        </div>
      )}
    </div>
  )
}

function useReconnectAttempts(isReachable: boolean): void {
  useEffect(() => {
    const onOffline = () => reportServerReachable(false)
    if (!navigator.onLine) onOffline()
    window.addEventListener('offline', onOffline)
    return () => window.removeEventListener('offline', onOffline)
  }, [])
  const attempts = useRef({ count: 0, lastAt: 0 })
  useEffect(() => {
    if (isReachable) return
    const abort = new AbortController()
    if (Date.now() - attempts.current.lastAt > stableAfterMs) attempts.current.count = 0
    const nextDelay = () => retryDelaysMs[attempts.current.count++] ?? retryDelaysMs.at(-1)
    let timer = setTimeout(attempt, nextDelay())
    async function attempt() {
      clearTimeout(timer)
      timer = setTimeout(attempt, nextDelay())
      attempts.current.lastAt = Date.now()
      try {
        await fetch('/healthz', { cache: 'no-store', signal: abort.signal })
        reportServerReachable(true)
      } catch {
        // Still unreachable.
      }
    }
    window.addEventListener('online', attempt)
    return () => {
      abort.abort()
      clearTimeout(timer)
      window.removeEventListener('online', attempt)
    }
  }, [isReachable])
}

function useRefetchAfterReconnect(isReachable: boolean): void {
  const router = useRouter()
  const client = useQueryClient()
  const wasLost = useRef(false)
  useEffect(() => {
    if (!isReachable) {
      wasLost.current = true
      return
    }
    if (!wasLost.current) return
    wasLost.current = false
    void client.invalidateQueries()
    if (!router.state.matches.some(({ status }) => status === 'error')) return
    // Code of the page may have failed to load, which only a reload fixes. Drafts survive it.
    if (canReload()) window.location.reload()
    else void router.invalidate()
  }, [isReachable, router, client])
}

function canReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(reloadedKey))
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    return Date.now() - last > stableAfterMs
  } catch {
    return false
  }
}
