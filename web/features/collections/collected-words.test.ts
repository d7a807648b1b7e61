import { expect, test } from 'vitest'
import { collectedWords } from './collected-words.ts'

test.for<[Parameters<typeof collectedWords>[0], string]>([
  [{ added: 0, already_there: 0 }, 'This collection is empty.'],
  [{ added: 0, already_there: 3, refused: 0 }, 'All of it was in Films already.'],
  [{ added: 1, already_there: 0 }, '1 bookmark added to Films.'],
  [{ added: 1200, already_there: 1 }, '1,200 bookmarks added to Films. 1 was there already.'],
  [
    { added: 2, already_there: 3, refused: 1 },
    '2 bookmarks added to Films. 3 were there already. 1 was left out by a rule of this site.',
  ],
  [
    { added: 0, already_there: 0, refused: 4 },
    'Nothing was added to Films. 4 were left out by a rule of this site.',
  ],
])('of %j is told: %s', ([done, text]) => {
  expect(collectedWords(done, 'Films')).toBe(text)
})
