/** What a comment may say, and where a page of comments ended: pure. */
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

/** Where a page ended, so that the next one starts there whatever was said or deleted meanwhile. */
export interface Cursor {
  /** The page holds what comes after this row, or before it. */
  direction: 'after' | 'before'
  /** Microseconds since 1970. */
  key: number
  id: number
}

/** `a1763710000123456_77`. */
export function encodeCursor({ direction, key, id }: Cursor): string {
  return `${direction === 'after' ? 'a' : 'b'}${key}_${id}`
}

/** Null for what no page of comments wrote. */
export function decodeCursor(text: string): Cursor | null {
  const [, direction, key, id] = /^([ab])(\d{1,16})_(\d{1,16})$/.exec(text) ?? []
  const cursor: Cursor = {
    direction: direction === 'a' ? 'after' : 'before',
    key: Number(key),
    id: Number(id),
  }
  return cursor.key <= Number.MAX_SAFE_INTEGER && cursor.id <= Number.MAX_SAFE_INTEGER ? cursor : null
}
