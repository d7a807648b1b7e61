/** Where a page of a list ended, so that the next one starts there whatever was saved meanwhile. */

export interface Cursor {
  /** The page holds what comes after this row, or before it. */
  direction: 'after' | 'before'
  /** Which of the list's stretches the row is in; most have one. */
  segment: number
  /** What the stretch is ordered by: microseconds since 1970, or a random key. */
  key: number
  id: number
}

/** `a0_1763710000123456_77`. */
export function encodeCursor({ direction, segment: stretch, key, id }: Cursor): string {
  return `${direction === 'after' ? 'a' : 'b'}${stretch}_${key}_${id}`
}

/** Null for what no list of so many stretches wrote. */
export function decodeCursor(text: string, segmentCount: number): Cursor | null {
  const [, direction, stretch, key, id] = /^([ab])(\d)_(\d[\d.e-]*)_(\d{1,16})$/.exec(text) ?? []
  const cursor: Cursor = {
    direction: direction === 'a' ? 'after' : 'before',
    segment: Number(stretch),
    key: Number(key),
    id: Number(id),
  }
  const { MAX_SAFE_INTEGER: maxSafe } = Number
  return cursor.segment < segmentCount && cursor.key <= maxSafe && cursor.id <= maxSafe ? cursor : null
}
