/** Normalises the text of a comment. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { InvalidFields } from '../../core/http/errors.ts'

/**
 * A comment's text as it is kept: every kind of line break is one, blanks at the ends of lines go, and of several empty
 * lines in a row one stays.
 * @throws InvalidFields where it holds control characters, or too many lines.
 */
export function normaliseContent(content: string): string {
  const refuse = (why: string) => new InvalidFields({ content: [why] })
  const normalised = content
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\t ]+$/gm, '')
    .replaceAll('\t', ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (/(?!\n)\p{Cc}/u.test(normalised)) throw refuse("Control characters aren't allowed.")
  if (normalised.split('\n').length - 1 > limits.commentLineBreaksMax) {
    throw refuse(`Must have ${limits.commentLineBreaksMax} line breaks or fewer.`)
  }
  return normalised
}
