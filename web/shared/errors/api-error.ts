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
