import { isCallError } from '@reelmark/contract/call.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { failed } from '../accounts/reset-problems.ts'

/** A failed call in a sentence. What the server says of its own faults is for its operator. */
export function problemText(error: unknown): string {
  if (!isCallError(error)) return failed
  if (error.status === 0) return "Can't reach Reelmark. Check your connection and try again."
  if (error.status >= 500 && error.status !== 503) return failed
  const texts = [...new Set(errorTexts(error.body))]
  return texts.length === 0 ? failed : texts.join(' ')
}
