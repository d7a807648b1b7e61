import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'

/** Whether a call was answered with that error of the table. */
export function isApiError(error: unknown, name: ErrorName): boolean {
  const [status, text] = errors[name]
  return isCallError(error) && error.status === status && errorBody(error).detail === text
}

/** What a failed call says by name; empty where it says nothing of the kind. */
export function errorBody(error: unknown): Record<string, unknown> {
  const body = isCallError(error) ? error.body : null
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? { ...body } : {}
}

/**
 * Returns whether the server decided about the request. Without a reply, after a fault of the server, or while it still
 * works on the same request, the outcome is unknown, and sending it again must mean the same request.
 */
export function isFinalError(error: unknown): boolean {
  if (!isCallError(error) || error.status < 400 || error.status >= 500) return false
  return !isApiError(error, 'idempotency-key-in-use')
}
