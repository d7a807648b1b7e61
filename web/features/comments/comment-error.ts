import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'

/** What failed, in the specification's words; and why, where that is something the person can do something about. */
export function commentErrorText(errorText: string, error: unknown): string {
  const isTold = isCallError(error) && (error.status === 400 || error.status === 429)
  const why = isTold ? [...new Set(errorTexts(error.body))] : []
  return [errorText, ...why].join(' ')
}

/** Whether the server decided: silence, a fault, or 'still under way' leave open what became of it. */
export function isFinalError(error: unknown): boolean {
  return isCallError(error) && error.status >= 400 && error.status < 500 && error.status !== 409
}
