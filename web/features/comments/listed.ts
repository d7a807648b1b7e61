/** What becomes of a list of comments or replies while one looks at it: pure. */

export interface Listed<Row> {
  count: number
  next: string | null
  results: Row[]
}

interface WithId {
  id: number
}

/** A new one first, and one more of them. */
export function prepended<Row extends WithId>(list: Listed<Row>, row: Row): Listed<Row> {
  // Asked for anew at that moment, it is there already.
  if (list.results.some(({ id }) => id === row.id)) return list
  return { ...list, count: list.count + 1, results: [row, ...list.results] }
}

/** One as `change` makes it; null: it is gone, and there is one less. */
export function changed<Row extends WithId>(
  list: Listed<Row>,
  id: number,
  change: (row: Row) => Row | null,
): Listed<Row> {
  const results = list.results.flatMap((row) => (row.id === id ? (change(row) ?? []) : row))
  const gone = list.results.length - results.length
  return { ...list, count: Math.max(0, list.count - gone), results }
}

/** The next page after what is shown. */
export function extended<Row extends WithId>(list: Listed<Row>, page: Listed<Row>): Listed<Row> {
  const there = new Set(list.results.map(({ id }) => id))
  return { ...page, results: [...list.results, ...page.results.filter(({ id }) => !there.has(id))] }
}
