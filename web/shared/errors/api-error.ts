import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { ErrorName } from '@reelmark/contract/protocol/errors.ts'

/** Returns whether a request failed with the error of this code. */
export function isApiError(error: unknown, code: ErrorName): boolean {
  return isCallError(error) && error.code === code
}

/** Returns the fields of an error response; empty if the body is not an object. */
export function errorBody(error: unknown): Record<string, unknown> {
  const body = isCallError(error) ? error.body : null
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? { ...body } : {}
}

/**
 * Returns whether the server decided about the request. The outcome is unknown without a response, after a server
 * fault, and while the server still works on the same request; a repetition must then be the same request.
 */
export function isFinalError(error: unknown): boolean {
  if (!isCallError(error) || error.status < 400 || error.status >= 500) return false
  return !isApiError(error, 'idempotency-key-in-use')
}
