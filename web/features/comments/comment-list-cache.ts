/** What becomes of a list of comments or replies while one looks at it: pure. */

export interface CommentList<Row> {
  count: number
  next: string | null
  results: Row[]
}

interface WithId {
  id: number
}

/** A new one first, and one more of them. */
export function prependComment<Row extends WithId>(list: CommentList<Row>, row: Row): CommentList<Row> {
  // Asked for anew at that moment, it is there already.
  if (list.results.some(({ id }) => id === row.id)) return list
  return { ...list, count: list.count + 1, results: [row, ...list.results] }
}

/** One as `change` makes it; null: it is gone, and there is one less. */
export function updateComment<Row extends WithId>(
  list: CommentList<Row>,
  id: number,
  change: (row: Row) => Row | null,
): CommentList<Row> {
  const results = list.results.flatMap((row) => (row.id === id ? (change(row) ?? []) : row))
  const removedCount = list.results.length - results.length
  return { ...list, count: Math.max(0, list.count - removedCount), results }
}

/** The next page after what is shown. */
export function appendPage<Row extends WithId>(
  list: CommentList<Row>,
  page: CommentList<Row>,
): CommentList<Row> {
  const shownIds = new Set(list.results.map(({ id }) => id))
  return { ...page, results: [...list.results, ...page.results.filter(({ id }) => !shownIds.has(id))] }
}
