import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'

export const genericErrorText = 'An error occurred. Please try again.'
const unreachableText = "Can't reach Reelmark. Check your connection and try again."

/**
 * Returns the sentence to show for a failed request: the reason that the server gave, else `fallback`, else a general
 * text. The texts of server faults (5xx) are meant for the operator and are not shown.
 * @param fallback the text that the specification prescribes for this action.
 */
export function errorMessage(error: unknown, fallback?: string): string {
  if (!isCallError(error)) return fallback ?? genericErrorText
  if (error.status === 0) return fallback ?? unreachableText
  // A 503 response says that the site is busy or under maintenance, which is worth showing.
  const isFault = error.status >= 500 && !(error.status === 503 && fallback === undefined)
  return (isFault ? null : serverText(error.body)) ?? fallback ?? genericErrorText
}

/** Returns `error`, else `detail`, else all texts of the fields joined by spaces; null for a body without any text. */
function serverText(body: unknown): string | null {
  const { code: _, ...fields } = (body !== null && typeof body === 'object' ? body : {}) as Record<
    string,
    unknown
  >
  for (const text of [fields.error, fields.detail]) {
    if (typeof text === 'string' && text !== '') return text
  }
  const texts = errorTexts(Array.isArray(body) || typeof body === 'string' ? body : fields)
  return [...new Set(texts)].join(' ') || null
}
