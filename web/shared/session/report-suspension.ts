import { toast } from '../../ui/toast.tsx'
import { getSession, storeUser } from './session-store.ts'
import { suspendedUntil } from './suspension.ts'

/** Formats a timestamp with date and time in the viewer's locale. */
export function formatDateTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Shows a toast if a request failed because of a suspension, and stores its end for the banner. */
export function reportSuspension(error: unknown): void {
  const until = suspendedUntil(error)
  const { user } = getSession()
  if (until === null || user === null) return
  storeUser({ ...user.profile, suspended_until: until })
  toast(`Your account is suspended until ${formatDateTime(until)}. You can browse but can't make changes.`, {
    tone: 'danger',
  })
}
