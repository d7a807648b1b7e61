/** Cursors: positions in a list from which the next page continues, even if rows were added or deleted since. */

export interface Cursor<Key extends number | string = number | string> {
  /** The page holds the rows after this one, or before it. */
  direction: 'after' | 'before'
  /** The segment of the list that the row is in; most lists have one. */
  segment: number
  /** The sort key of the row: a number such as microseconds since 1970, or a text such as the beginning of a title. */
  key: Key
  id: number
  /** How many rows the list had when it was counted. Absent in most lists, which are counted again for each page. */
  count?: number
}

/**
 * Returns the cursor as text, for example `a0_1763710000123456_77`, with a text as its key `a0_~dGl0bGU_77`, or with a count
 * `a0_1763710000123456_77n8300`.
 */
export function encodeCursor({ direction, segment, key, id, count }: Cursor): string {
  const written = typeof key === 'number' ? key : `~${Buffer.from(key).toString('base64url')}`
  return `${direction === 'after' ? 'a' : 'b'}${segment}_${written}_${id}${count === undefined ? '' : `n${count}`}`
}

/** Returns the cursor, or null if the text is not a cursor of a list with this number of segments. */
export function decodeCursor(text: string, segmentCount: number): Cursor | null {
  const [, direction, segment, number, encoded, id, count] =
    /^([ab])(\d)_(?:(\d[\d.e-]*)|~([\w-]*))_(\d{1,16})(?:n(\d{1,9}))?$/.exec(text) ?? []
  const key = encoded === undefined ? decodeNumber(number) : decodeText(encoded)
  if (key === null) return null
  const cursor: Cursor = {
    direction: direction === 'a' ? 'after' : 'before',
    segment: Number(segment),
    key,
    id: Number(id),
    ...(count !== undefined && { count: Number(count) }),
  }
  return cursor.segment < segmentCount && cursor.id <= Number.MAX_SAFE_INTEGER ? cursor : null
}

/** Decodes the number that is the key of a cursor; null if it is not a number, or too large. */
function decodeNumber(text: string | undefined): number | null {
  const number = Number(text)
  return number <= Number.MAX_SAFE_INTEGER ? number : null
}

/** Decodes the text that is the key of a cursor; null if the database cannot contain it. */
function decodeText(encoded: string): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(encoded, 'base64url'),
    )
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
