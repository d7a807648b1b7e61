/** Normalising tag names, and suggesting tags for a title. */
import type { Db } from '../../../core/database/database.ts'
import { normalizeUnicode } from '../../../core/http/unicode.ts'

/** Returns a tag as it is stored: lower case, single spaces; blank for an invalid tag. Can be longer than the input ('İ'). */
export function normaliseTag(text: string): string {
  return normalizeUnicode(normalizeUnicode(text).toLowerCase()).replace(/\s+/g, ' ').trim()
}

/** Returns the most used tags that occur in a text, at most 10: suggestions for a title. */
export async function findPopularTags(db: Db, text: string): Promise<string[]> {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 40)
  if (words.length === 0) return []
  // Tags of two words, too: `stop motion` in 'A Stop Motion Film'.
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  const rows = await db<{ name: string }[]>`
    select name from tags where name = any (${[...words, ...pairs]}) and uses_count > 0
     order by uses_count desc, name limit 10`
  return rows.map(({ name }) => name)
}
