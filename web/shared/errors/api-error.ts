import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { ErrorName } from '@reelmark/contract/protocol/errors.ts'

/** Returns whether a call failed with the error of this code. */
export function isApiError(error: unknown, code: ErrorName): boolean {
  return isCallError(error) && error.code === code
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
