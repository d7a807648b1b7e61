/** Cursors: positions in a list from which the next page continues, even if rows were added or deleted since. */

export interface Cursor {
  /** The page holds the rows after this one, or before it. */
  direction: 'after' | 'before'
  /** The segment of the list that the row is in; most lists have one. */
  segment: number
  /** The sort key of the row: microseconds since 1970, or a random number. */
  key: number
  id: number
}

/** Returns the cursor as text, for example `a0_1763710000123456_77`. */
export function encodeCursor({ direction, segment, key, id }: Cursor): string {
  return `${direction === 'after' ? 'a' : 'b'}${segment}_${key}_${id}`
}

/** Returns the cursor, or null if the text is not a cursor of a list with this number of segments. */
export function decodeCursor(text: string, segmentCount: number): Cursor | null {
  const [, direction, segment, key, id] = /^([ab])(\d)_(\d[\d.e-]*)_(\d{1,16})$/.exec(text) ?? []
  const cursor: Cursor = {
    direction: direction === 'a' ? 'after' : 'before',
    segment: Number(segment),
    key: Number(key),
    id: Number(id),
  }
  const { MAX_SAFE_INTEGER: maxSafe } = Number
  return cursor.segment < segmentCount && cursor.key <= maxSafe && cursor.id <= maxSafe ? cursor : null
}
