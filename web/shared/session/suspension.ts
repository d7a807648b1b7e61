/** A suspended user can browse but cannot change anything. The first response that says so shows a toast. */
import { toast } from '../../ui/toast.tsx'
import { errorBody, isApiError } from '../errors/api-error.ts'
import { getSession, storeUser } from './session-store.ts'

/** Formats a timestamp with date and time in the viewer's locale. */
export function formatDateTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Returns the end of the suspension in an error response; null for other errors. */
function suspendedUntil(error: unknown): string | null {
  if (!isApiError(error, 'suspended')) return null
  const { until } = errorBody(error)
  return typeof until === 'string' ? until : null
}

/** Returns whether a request failed because of a suspension, which `reportSuspension` has already reported. */
export function isSuspensionError(error: unknown): boolean {
  return suspendedUntil(error) !== null
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
