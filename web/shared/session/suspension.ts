/** A suspended user can browse but cannot change anything; report-suspension.ts shows it. */
import { errorBody, isApiError } from '../errors/api-error.ts'

/** Returns the end of the suspension in an error response; null for other errors. */
export function suspendedUntil(error: unknown): string | null {
  if (!isApiError(error, 'suspended')) return null
  const { until } = errorBody(error)
  return typeof until === 'string' ? until : null
}

/** Returns whether a request failed because of a suspension, which api.ts has already reported. */
export function isSuspensionError(error: unknown): boolean {
  return suspendedUntil(error) !== null
}
