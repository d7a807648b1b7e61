import { expect, test } from 'vitest'
import { collectResultText } from './collect-result-labels.ts'

test.for<[Parameters<typeof collectResultText>[0], string]>([
  [{ added: 0, duplicates: 0 }, 'This collection is empty.'],
  [{ added: 0, duplicates: 3, refused: 0 }, 'Everything is already in Films.'],
  [{ added: 1, duplicates: 0 }, '1 bookmark added to Films.'],
  [{ added: 1200, duplicates: 1 }, '1,200 bookmarks added to Films. 1 was already saved.'],
  [
    { added: 2, duplicates: 3, refused: 1 },
    '2 bookmarks added to Films. 3 were already saved. 1 was skipped because this site blocks it.',
  ],
  [
    { added: 0, duplicates: 0, refused: 4 },
    'No bookmarks added to Films. 4 were skipped because this site blocks them.',
  ],
])('the result %j is described as: %s', ([result, text]) => {
  expect(collectResultText(result, 'Films')).toBe(text)
})
