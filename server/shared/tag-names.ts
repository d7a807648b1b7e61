/** How the names of tags are stored. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { normalizeUnicode } from '../core/http/unicode.ts'

/** A tag as it is kept: in lower case, with single spaces; blank for none. It can be longer than it came ('İ'). */
export function normaliseTag(text: string): string {
  return normalizeUnicode(normalizeUnicode(text).toLowerCase()).replace(/\s+/g, ' ').trim()
}

/** Lower case, trimmed, inner white space single, each once, in their order; at most 30. */
export function normaliseTags(tags: readonly string[]): string[] {
  const normalised = tags.map(normaliseTag)
  return [...new Set(normalised.filter((tag) => tag !== '' && [...tag].length <= limits.tagMax))].slice(
    0,
    limits.tagsMax,
  )
}
