/** What is picked out of a list, over all of its pages: pure. */
import * as limits from '@reelmark/contract/protocol/limits.ts'

export interface Selectable {
  id: number
  title: string
}

/** Ids with the titles that they are named by, in the order in which they were picked. */
export type SelectedItems = ReadonlyMap<number, string>

export interface Selection {
  selected: SelectedItems
  /** Where a range starts and ends, whether it picks or drops, and what was picked without it. */
  range: { from: number; to: number; selects: boolean; selectedBefore: SelectedItems } | null
}

export const emptySelection: Selection = { selected: new Map(), range: null }

/** As many as one request changes; what is picked first stays. */
function limitSelected(selected: Map<number, string>): SelectedItems {
  for (const id of [...selected.keys()].slice(limits.bulkMax)) selected.delete(id)
  return selected
}

export function selectAll({ selected }: Selection, items: readonly Selectable[]): Selection {
  return {
    selected: limitSelected(new Map([...selected, ...items.map(({ id, title }) => [id, title] as const)])),
    range: null,
  }
}

export function deselect({ selected }: Selection, ids: Iterable<number>): Selection {
  const left = new Map(selected)
  for (const id of ids) left.delete(id)
  return { selected: left, range: null }
}

/** Picks one, or drops it; a range can go on from it. */
export function toggleItem(selection: Selection, { id, title }: Selectable): Selection {
  const selects = !selection.selected.has(id)
  const { selected } = selects ? selectAll(selection, [{ id, title }]) : deselect(selection, [id])
  return { selected, range: { from: id, to: id, selects, selectedBefore: selection.selected } }
}

/**
 * Does with all from where the range starts to `to` what was done where it starts, and takes back what an earlier end
 * of the same range did. A range that starts on another page starts here.
 */
export function extendRange(selection: Selection, items: readonly Selectable[], to: number): Selection {
  const end = items.findIndex(({ id }) => id === to)
  const start = items.findIndex(({ id }) => id === selection.range?.from)
  const item = items[end]
  if (item === undefined) return selection
  const range = start === -1 || selection.range === null ? null : selection.range
  if (range === null) {
    const { selected } = selectAll(selection, [item])
    return { selected, range: { from: to, to, selects: true, selectedBefore: selection.selected } }
  }
  const between = items.slice(Math.min(start, end), Math.max(start, end) + 1)
  const base = { selected: range.selectedBefore, range: null }
  const { selected } = range.selects
    ? selectAll(base, between)
    : deselect(
        base,
        between.map(({ id }) => id),
      )
  return { selected, range: { ...range, to } }
}

/** As with Shift and an arrow: goes on with the range that ends at `from`, else starts one there. */
export function extendByArrow(
  selection: Selection,
  items: readonly Selectable[],
  from: number,
  to: number,
): Selection {
  const goesOn = selection.range?.to === from
  return extendRange(goesOn ? selection : extendRange({ ...selection, range: null }, items, from), items, to)
}
