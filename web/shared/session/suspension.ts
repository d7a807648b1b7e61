/** Who is suspended looks and changes nothing: told at once, wherever the server first says so. */
import { toast } from '../../ui/toast.tsx'
import { errorBody, isApiError } from '../errors/api-error.ts'
import { getSession, storeUser } from './session-store.ts'

/** A moment as the locale writes it, with the time of day. */
export function formatDateTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Returns the end of the suspension that a call was refused for, or null for other errors. */
function suspendedUntil(error: unknown): string | null {
  if (!isApiError(error, 'suspended')) return null
  const { until } = errorBody(error)
  return typeof until === 'string' ? until : null
}

/** Whether a call was refused for it, which is said already: what only a toast would tell need not be told again. */
export function isSuspensionError(error: unknown): boolean {
  return suspendedUntil(error) !== null
}

/** Where a call was refused for it that is said, and kept for the banner. */
export function reportSuspension(error: unknown): void {
  const until = suspendedUntil(error)
  const { user } = getSession()
  if (until === null || user === null) return
  storeUser({ ...user.profile, suspended_until: until })
  toast(`Your account is suspended until ${formatDateTime(until)}. You can browse but can't make changes.`, {
    tone: 'danger',
  })
}
