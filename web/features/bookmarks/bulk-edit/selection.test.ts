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
const ids = ({ selected: picked }: Selection) => [...picked.keys()].sort((a, b) => a - b)

test('one is picked and dropped; others stay', () => {
  const two = toggleItem(toggleItem(emptySelection, item(2)), item(5))
  expect(ids(two)).toEqual([2, 5])
  expect(ids(toggleItem(two, item(2)))).toEqual([5])
  expect(two.selected.get(5)).toBe('Film 5')
})

test('a range goes from the last one picked, either way, and is moved by its end', () => {
  const one = toggleItem(toggleItem(emptySelection, item(8)), item(4))
  const down = extendRange(one, items, 6)
  expect(ids(down)).toEqual([4, 5, 6, 8])
  expect(ids(extendRange(down, items, 2))).toEqual([2, 3, 4, 8])
})

test('a range from one that was dropped drops', () => {
  const dropped = toggleItem(selectAll(emptySelection, items), item(3))
  expect(ids(extendRange(dropped, items, 6))).toEqual([1, 2, 7, 8])
})

test('a range whose start is on another page starts where it ends', () => {
  const elsewhere = toggleItem(emptySelection, { id: 100, title: 'Elsewhere' })
  expect(ids(extendRange(elsewhere, items, 3))).toEqual([3, 100])
})

test('arrows stretch from where one is, back again too, and not from where one picked before', () => {
  const picked = toggleItem(emptySelection, item(1))
  const once = extendByArrow(picked, items, 4, 5)
  expect(ids(once)).toEqual([1, 4, 5])
  expect(ids(extendByArrow(once, items, 5, 4))).toEqual([1, 4])
  expect(ids(extendByArrow(picked, items, 1, 2))).toEqual([1, 2])
})

test('more than one request changes are not picked', () => {
  const many = Array.from({ length: limits.bulkMax + 20 }, (_, n) => ({ id: n + 1000, title: '' }))
  const full = selectAll(toggleItem(emptySelection, item(1)), many)
  expect(full.selected.size).toBe(limits.bulkMax)
  expect(full.selected.has(1)).toBe(true)
  expect(ids(toggleItem(full, item(2)))).not.toContain(2)
  expect(deselect(full, full.selected.keys()).selected.size).toBe(0)
})
