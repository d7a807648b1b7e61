import { toast } from '../../ui/toast.tsx'
import { errorBody } from '../errors/api-error.ts'
import { getSession, storeUser } from './session-store.ts'

/** Formats a timestamp with date and time in the viewer's locale. */
export function formatDateTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Shows a toast for the error of a suspension, and stores its end for the banner. */
export function reportSuspension(error: unknown): void {
  const { until } = errorBody(error)
  const { user } = getSession()
  if (typeof until !== 'string' || user === null) return
  storeUser({ ...user.profile, suspended_until: until })
  toast(`Your account is suspended until ${formatDateTime(until)}. You can browse but can't make changes.`, {
    tone: 'danger',
  })
}
