/** A suspended user can browse but cannot change anything; report-suspension.ts shows it. */
import { isApiError } from '../errors/api-error.ts'

/** Returns whether a request failed because of a suspension, which api.ts has already reported. */
export function isSuspensionError(error: unknown): boolean {
  return isApiError(error, 'suspended')
}
