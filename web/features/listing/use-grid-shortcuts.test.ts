import { expect, test } from 'vitest'
import { indexInNextRow } from './use-grid-shortcuts.ts'

/** Seven cards in three columns, the last row with one. */
const positions = Array.from({ length: 7 }, (_, n) => ({ left: (n % 3) * 240, top: Math.floor(n / 3) * 300 }))

test.each([
  ['down', 1, false, 4],
  ['up', 4, true, 1],
  ['down into a row that is not full', 5, false, 6],
  ['up from the first row', 2, true, undefined],
  ['down from the last row', 6, false, undefined],
  ['from nowhere', -1, false, undefined],
] as const)('%s', (_, at, up, to) => {
  expect(indexInNextRow(positions, at, up)).toBe(to)
})
