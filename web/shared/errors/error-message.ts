import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { genericErrorText } from '../forms/form-errors.ts'

/** A failed call in a sentence. What the server says of its own faults is for its operator. */
export function errorMessage(error: unknown): string {
  if (!isCallError(error)) return genericErrorText
  if (error.status === 0) return "Can't reach Reelmark. Check your connection and try again."
  if (error.status >= 500 && error.status !== 503) return genericErrorText
  const texts = [...new Set(errorTexts(error.body))]
  return texts.length === 0 ? genericErrorText : texts.join(' ')
}
