import { isCallError } from '@reelmark/contract/call.ts'
import { errors } from '@reelmark/contract/errors.ts'

/** What a failed login is told as, in the order of the error catalogue (product.md section 8). */
export function loginError(error: unknown): string {
  const fallback = 'Login failed. Please check your connection and try again.'
  if (!isCallError(error)) return fallback
  if (error.status === 401) return 'Invalid username or password.'
  if (error.status === 429) return 'Too many login attempts. Please try again later.'
  const { detail, non_field_errors } = (error.body ?? {}) as { detail?: unknown; non_field_errors?: unknown }
  if (typeof detail === 'string') return detail
  const first: unknown = Array.isArray(non_field_errors) ? non_field_errors[0] : undefined
  return typeof first === 'string' ? first : fallback
}

/** The same for a login by a passkey: what is no reply of the server is something that the browser did not like. */
export function passkeyError(error: unknown): string {
  return isCallError(error) ? loginError(error) : errors['passkey-refused'][1]
}
