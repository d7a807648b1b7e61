/** Keys of the manual order, in the format of time_order_key() in server/migrations/0029-manual-order.sql. */
import { BASE_52_DIGITS, generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

const digits = '0123456789abcdef'

/** Longer keys are replaced by shorter ones. The column allows 100 characters. */
export const maxKeyLength = 80
/** The longest key that replaces others, so that the next replacement is many moves away. */
const maxNewKeyLength = 48

/** Returns a key between two neighbours; null for the beginning or the end of the list. Null if both have the same key. */
export function keyBetween(before: string | null, after: string | null): string | null {
  if (before !== null && before === after) return null
  return generateKeyBetween(before, after, digits, BASE_52_DIGITS)
}

/**
 * Returns `count` ascending keys between two neighbours, about equally far from each other; null if they would be long,
 * because the neighbours are close to each other.
 */
export function shortKeysBetween(
  before: string | null,
  after: string | null,
  count: number,
): string[] | null {
  if (before !== null && before === after) return null
  const keys = generateNKeysBetween(before, after, count, digits, BASE_52_DIGITS)
  return keys.every((key) => key.length <= maxNewKeyLength) ? keys : null
}
