import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import {
  deselect,
  emptySelection,
  extendByArrow,
  extendRange,
  type Selection,
  selectAll,
  toggleItem,
} from './selection.ts'

const items = Array.from({ length: 8 }, (_, n) => ({ id: n + 1, title: `Film ${n + 1}` }))
const item = (id: number) => items[id - 1] ?? { id, title: `Film ${id}` }
const ids = ({ selected }: Selection) => [...selected.keys()].sort((a, b) => a - b)

test('an item is selected and deselected while others stay', () => {
  const withTwo = toggleItem(toggleItem(emptySelection, item(2)), item(5))
  expect(ids(withTwo)).toEqual([2, 5])
  expect(ids(toggleItem(withTwo, item(2)))).toEqual([5])
  expect(withTwo.selected.get(5)).toBe('Film 5')
})

test('a range starts at the last selected item, in either direction, and its end can move', () => {
  const withOne = toggleItem(toggleItem(emptySelection, item(8)), item(4))
  const down = extendRange(withOne, items, 6)
  expect(ids(down)).toEqual([4, 5, 6, 8])
  expect(ids(extendRange(down, items, 2))).toEqual([2, 3, 4, 8])
})

test('a range from a deselected item deselects', () => {
  const dropped = toggleItem(selectAll(emptySelection, items), item(3))
  expect(ids(extendRange(dropped, items, 6))).toEqual([1, 2, 7, 8])
})

test('a range whose start is on another page starts at its end', () => {
  const elsewhere = toggleItem(emptySelection, { id: 100, title: 'Elsewhere' })
  expect(ids(extendRange(elsewhere, items, 3))).toEqual([3, 100])
})

test('Shift and arrows extend from the focused item, and can go back', () => {
  const selected = toggleItem(emptySelection, item(1))
  const extended = extendByArrow(selected, items, 4, 5)
  expect(ids(extended)).toEqual([1, 4, 5])
  expect(ids(extendByArrow(extended, items, 5, 4))).toEqual([1, 4])
  expect(ids(extendByArrow(selected, items, 1, 2))).toEqual([1, 2])
})

test('no more items are selected than one request can change', () => {
  const many = Array.from({ length: limits.bulkMax + 20 }, (_, n) => ({ id: n + 1000, title: '' }))
  const full = selectAll(toggleItem(emptySelection, item(1)), many)
  expect(full.selected.size).toBe(limits.bulkMax)
  expect(full.selected.has(1)).toBe(true)
  expect(ids(toggleItem(full, item(2)))).not.toContain(2)
  expect(deselect(full, full.selected.keys()).selected.size).toBe(0)
})
