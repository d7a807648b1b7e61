import { expect, it } from 'vitest'
import { countText } from './listing-count.tsx'

it.each([
  [1, 1, 0, false, 'Page 1 of 1 (0 results)'],
  [1, 1, 1, false, 'Page 1 of 1 (1 results)'],
  [2, 2, 51, false, 'Page 2 of 3 (51 results)'],
  [1, 3, 51, false, 'Pages 1 to 3 of 3 (51 results)'],
  [2, 3, 12_340, true, 'Pages 2 to 3 of 494 (about 12,340 results)'],
  [1, 1, 12_340, true, 'Page 1 of 494 (about 12,340 results)'],
] as const)('describes pages %i to %i of %i results', (page, lastPage, count, isEstimate, text) => {
  expect(countText(page, lastPage, count, isEstimate)).toBe(text)
})
