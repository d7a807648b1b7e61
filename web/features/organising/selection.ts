/** What is picked out of a list, over all of its pages: pure. */
import { limits } from '@reelmark/contract/limits.ts'

export interface Pickable {
  id: number
  title: string
}

/** Ids with the titles that they are named by, in the order in which they were picked. */
export type Picked = ReadonlyMap<number, string>

export interface Selection {
  picked: Picked
  /** Where a range starts and ends, whether it picks or drops, and what was picked without it. */
  range: { from: number; to: number; picks: boolean; without: Picked } | null
}

export const nothing: Selection = { picked: new Map(), range: null }

/** As many as one request changes; what is picked first stays. */
function upToMost(picked: Map<number, string>): Picked {
  for (const id of [...picked.keys()].slice(limits.bulkMax)) picked.delete(id)
  return picked
}

export function withAll({ picked }: Selection, items: readonly Pickable[]): Selection {
  return {
    picked: upToMost(new Map([...picked, ...items.map(({ id, title }) => [id, title] as const)])),
    range: null,
  }
}

export function without({ picked }: Selection, ids: Iterable<number>): Selection {
  const left = new Map(picked)
  for (const id of ids) left.delete(id)
  return { picked: left, range: null }
}

/** Picks one, or drops it; a range can go on from it. */
export function toggled(selection: Selection, { id, title }: Pickable): Selection {
  const picks = !selection.picked.has(id)
  const { picked } = picks ? withAll(selection, [{ id, title }]) : without(selection, [id])
  return { picked, range: { from: id, to: id, picks, without: selection.picked } }
}

/**
 * Does with all from where the range starts to `to` what was done where it starts, and takes back what an earlier end
 * of the same range did. A range that starts on another page starts here.
 */
export function extended(selection: Selection, items: readonly Pickable[], to: number): Selection {
  const end = items.findIndex(({ id }) => id === to)
  const start = items.findIndex(({ id }) => id === selection.range?.from)
  const item = items[end]
  if (item === undefined) return selection
  const range = start === -1 || selection.range === null ? null : selection.range
  if (range === null) {
    const { picked } = withAll(selection, [item])
    return { picked, range: { from: to, to, picks: true, without: selection.picked } }
  }
  const between = items.slice(Math.min(start, end), Math.max(start, end) + 1)
  const base = { picked: range.without, range: null }
  const { picked } = range.picks
    ? withAll(base, between)
    : without(
        base,
        between.map(({ id }) => id),
      )
  return { picked, range: { ...range, to } }
}

/** As with Shift and an arrow: goes on with the range that ends at `from`, else starts one there. */
export function stretched(
  selection: Selection,
  items: readonly Pickable[],
  from: number,
  to: number,
): Selection {
  const goesOn = selection.range?.to === from
  return extended(goesOn ? selection : extended({ ...selection, range: null }, items, from), items, to)
}
