/** How the names of tags are stored. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { InvalidFields } from '../core/http/errors.ts'
import { normalizeUnicode } from '../core/http/unicode.ts'

/** Returns a tag as it is stored: lower case, single spaces; blank for an invalid tag. Can be longer than the input ('İ'). */
export function normaliseTag(text: string): string {
  return normalizeUnicode(normalizeUnicode(text).toLowerCase()).replace(/\s+/g, ' ').trim()
}

/** Returns a tag as it is stored. @throws InvalidFields if it is not a tag, or too long in lower case */
export function parseTag(text: string): string {
  const tag = normaliseTag(text)
  if (tag === '') throw new InvalidFields({ tag: ['This field may not be blank.'] })
  if ([...tag].length <= limits.tagMax) return tag
  throw new InvalidFields({ tag: [`Must be ${limits.tagMax} characters or fewer.`] })
}

/** Returns tags in lower case, trimmed, with single spaces, without duplicates, in their order; at most 30. */
export function normaliseTags(tags: readonly string[]): string[] {
  const normalised = tags.map(normaliseTag)
  return [...new Set(normalised.filter((tag) => tag !== '' && [...tag].length <= limits.tagMax))].slice(
    0,
    limits.tagsMax,
  )
}
