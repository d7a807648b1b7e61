/** The functions that remove punctuation from titles and texts. Indexes contain their results. */
import { expect, test } from 'vitest'
import { useSite } from '../../testing/use-site.ts'

const { site } = await useSite()

/** Returns the texts, each with one character, for which two SQL expressions of `text` differ. */
async function findDifferences(one: string, other: string): Promise<string[]> {
  const rows = await site.db.unsafe<{ text: string }[]>(`
    select text from (select 'a' || chr(n) || 'b ' || chr(n) || chr(n) as text from generate_series(1, 131071) n
                       where n not between 55296 and 57343) texts
     where ${one} is distinct from ${other}`)
  return rows.map(({ text }) => text)
}

test('the key of a title is the one that indexes of earlier versions contain', async () => {
  const earlier = String.raw`left(btrim(lower(unaccent('unaccent'::regdictionary,
    translate(text, $p$!"#$%&()*+,-./:;<=>?@[\]^_${'`'}{|}~«»“”„…–—·•¿¡'’$p$, '')))), 40) collate "C"`
  expect(await findDifferences('title_sort_key(text)', earlier)).toEqual([])
  expect(await findDifferences('title_sort_key(text)', 'text')).toContain('a-b --')
})

test('searched texts have spaces instead of punctuation, as in search vectors of earlier versions', async () => {
  const earlier = String.raw`translate(text, $p$!"#$%&()*+,-./:;<=>?@[\]^_${'`'}{|}~«»“”„…–—·•¿¡、。「」'’$p$, repeat(' ', 47))`
  const isSpaced = `text !~ ('[' || unspaced_characters() || ']')`
  const ofSpaced = (expression: string) => `case when ${isSpaced} then ${expression} end`
  expect(await findDifferences(ofSpaced('search_text(text)'), ofSpaced(earlier))).toEqual([])
  expect(await findDifferences('search_text(text)', 'text')).toContain("a'b ''")
})
