import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { ChallengeFailed } from '../challenge/with-challenge.ts'

/** Returns the message of a failed login (docs/behaviour.md, Forms and messages). */
export function loginErrorMessage(error: unknown): string {
  const fallback = 'Login failed. Please check your connection and try again.'
  if (error instanceof ChallengeFailed) return error.message
  if (!isCallError(error)) return fallback
  if (error.status === 401) return 'Invalid username or password.'
  if (error.status === 429) return 'Too many login attempts. Please try again later.'
  const { detail, reason, non_field_errors } = (error.body ?? {}) as Record<string, unknown>
  if (typeof detail === 'string') return typeof reason === 'string' ? bannedMessage(detail, reason) : detail
  const first: unknown = Array.isArray(non_field_errors) ? non_field_errors[0] : undefined
  return typeof first === 'string' ? first : fallback
}

/** Returns the message for a banned user. It contains the reason, because they cannot log in to read it elsewhere. */
function bannedMessage(detail: string, reason: string): string {
  const reasonSentence = reason === '' ? '' : ` A moderator wrote: “${reason}”`
  return `${detail}${reasonSentence} If you think this is a mistake, contact us.`
}

/** Returns the message of a failed login with a passkey. Errors that are no server response came from the browser. */
export function passkeyErrorMessage(error: unknown): string {
  return isCallError(error) ? loginErrorMessage(error) : errors['passkey-refused'][1]
}
