/** Who is suspended looks and changes nothing: told at once, wherever the server first says so. */
import { isCallError } from '@reelmark/contract/call.ts'
import { getSession, storeUser } from './session-store.ts'
import { toast } from './ui/toast.tsx'

/** A moment as the locale writes it, with the time of day. */
export function momentOf(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Where a call was refused for it (403 with `until`), that is said, and kept for the banner. */
export function noteSuspension(error: unknown): void {
  if (!isCallError(error) || error.status !== 403) return
  const { until } = (error.body ?? {}) as { until?: unknown }
  const { user } = getSession()
  if (typeof until !== 'string' || user === null) return
  storeUser({ ...user.profile, suspended_until: until })
  toast(`Your account is suspended until ${momentOf(until)}. You can look around, but change nothing.`, {
    tone: 'danger',
  })
}
