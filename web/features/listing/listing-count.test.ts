import { expect, it } from 'vitest'
import { countText } from './listing-count.tsx'

it.each([
  [1, 0, false, 'Page 1 of 1 (0 results)'],
  [1, 1, false, 'Page 1 of 1 (1 results)'],
  [2, 51, false, 'Page 2 of 3 (51 results)'],
  [1, 12_340, true, 'Page 1 of 494 (about 12,340 results)'],
] as const)('describes page %i of %i results', (page, count, isEstimate, text) => {
  expect(countText(page, count, isEstimate)).toBe(text)
})
