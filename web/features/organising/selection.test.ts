import { limits } from '@reelmark/contract/limits.ts'
import { expect, test } from 'vitest'
import { extended, nothing, type Selection, stretched, toggled, withAll, without } from './selection.ts'

const items = Array.from({ length: 8 }, (_, n) => ({ id: n + 1, title: `Film ${n + 1}` }))
const item = (id: number) => items[id - 1] ?? { id, title: `Film ${id}` }
const ids = ({ picked }: Selection) => [...picked.keys()].sort((a, b) => a - b)

test('one is picked and dropped; others stay', () => {
  const two = toggled(toggled(nothing, item(2)), item(5))
  expect(ids(two)).toEqual([2, 5])
  expect(ids(toggled(two, item(2)))).toEqual([5])
  expect(two.picked.get(5)).toBe('Film 5')
})

test('a range goes from the last one picked, either way, and is moved by its end', () => {
  const one = toggled(toggled(nothing, item(8)), item(4))
  const down = extended(one, items, 6)
  expect(ids(down)).toEqual([4, 5, 6, 8])
  expect(ids(extended(down, items, 2))).toEqual([2, 3, 4, 8])
})

test('a range from one that was dropped drops', () => {
  const dropped = toggled(withAll(nothing, items), item(3))
  expect(ids(extended(dropped, items, 6))).toEqual([1, 2, 7, 8])
})

test('a range whose start is on another page starts where it ends', () => {
  const elsewhere = toggled(nothing, { id: 100, title: 'Elsewhere' })
  expect(ids(extended(elsewhere, items, 3))).toEqual([3, 100])
})

test('arrows stretch from where one is, back again too, and not from where one picked before', () => {
  const picked = toggled(nothing, item(1))
  const once = stretched(picked, items, 4, 5)
  expect(ids(once)).toEqual([1, 4, 5])
  expect(ids(stretched(once, items, 5, 4))).toEqual([1, 4])
  expect(ids(stretched(picked, items, 1, 2))).toEqual([1, 2])
})

test('more than one request changes are not picked', () => {
  const many = Array.from({ length: limits.bulkMax + 20 }, (_, n) => ({ id: n + 1000, title: '' }))
  const full = withAll(toggled(nothing, item(1)), many)
  expect(full.picked.size).toBe(limits.bulkMax)
  expect(full.picked.has(1)).toBe(true)
  expect(ids(toggled(full, item(2)))).not.toContain(2)
  expect(without(full, full.picked.keys()).picked.size).toBe(0)
})
