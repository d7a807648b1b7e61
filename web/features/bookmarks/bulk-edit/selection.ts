/** The state of a selection across the pages of a list, as pure functions. */
import * as limits from '@reelmark/contract/protocol/limits.ts'

export interface Selectable {
  id: number
  title: string
}

/** The ids of selected items with their titles, in the order of selection. */
export type SelectedItems = ReadonlyMap<number, string>

export interface Selection {
  selected: SelectedItems
  /** The current range: its ends, whether it selects or deselects, and the selection without it. */
  range: { from: number; to: number; selects: boolean; selectedBefore: SelectedItems } | null
}

export const emptySelection: Selection = { selected: new Map(), range: null }

/** Limits the selection to what one request can change. The items selected first stay. */
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
  const remaining = new Map(selected)
  for (const id of ids) remaining.delete(id)
  return { selected: remaining, range: null }
}

/** Selects or deselects an item, which becomes the start of a range. */
export function toggleItem(selection: Selection, { id, title }: Selectable): Selection {
  const selects = !selection.selected.has(id)
  const { selected } = selects ? selectAll(selection, [{ id, title }]) : deselect(selection, [id])
  return { selected, range: { from: id, to: id, selects, selectedBefore: selection.selected } }
}

/**
 * Extends the current range to `to`, and undoes what an earlier end of it did. The range selects or deselects like its
 * first item. If it started on another page, it starts at `to`.
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

/** Extends a range by Shift and an arrow key: continues the range that ends at `from`, or starts one there. */
export function extendByArrow(
  selection: Selection,
  items: readonly Selectable[],
  from: number,
  to: number,
): Selection {
  const continuesRange = selection.range?.to === from
  return extendRange(
    continuesRange ? selection : extendRange({ ...selection, range: null }, items, from),
    items,
    to,
  )
}
