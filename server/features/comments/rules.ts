/** Normalises the text of a comment. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { InvalidFields } from '../../core/http/errors.ts'

/**
 * Returns the text of a comment as it is stored: line breaks become `\n`, white space at the ends of lines is removed,
 * and several empty lines in a row become one.
 * @throws InvalidFields if the text contains control characters or too many line breaks
 */
export function normaliseContent(content: string): string {
  const invalidContent = (message: string) => new InvalidFields({ content: [message] })
  const normalised = content
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/(?<![\t ])[\t ]+$/gm, '')
    .replaceAll('\t', ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (/(?!\n)\p{Cc}/u.test(normalised)) throw invalidContent("Control characters aren't allowed.")
  if (normalised.split('\n').length - 1 > limits.commentLineBreaksMax) {
    throw invalidContent(`Must have ${limits.commentLineBreaksMax} line breaks or fewer.`)
  }
  return normalised
}
