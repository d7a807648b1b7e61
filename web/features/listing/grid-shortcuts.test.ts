import { expect, test } from 'vitest'
import { indexInNextRow } from './grid-shortcuts.ts'

/** Seven cards in three columns. The last row has one card. */
const positions = Array.from({ length: 7 }, (_, n) => ({ left: (n % 3) * 240, top: Math.floor(n / 3) * 300 }))

test.each([
  ['down to the next row', 1, false, 4],
  ['up to the previous row', 4, true, 1],
  ['down to an incomplete row', 5, false, 6],
  ['up from the first row', 2, true, undefined],
  ['down from the last row', 6, false, undefined],
  ['without a focused card', -1, false, undefined],
] as const)('arrow key: %s', (_, current, up, expected) => {
  expect(indexInNextRow(positions, current, up)).toBe(expected)
})
