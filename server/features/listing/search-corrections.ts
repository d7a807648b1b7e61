/** Which words of a search were replaced by similar ones. */
import type { ListingPage } from '@reelmark/contract/listing.ts'
import type { SearchTerm } from '@reelmark/contract/search-terms.ts'
import type { Db } from '../../core/database/database.ts'

/** How many words are named for a misspelt one. */
const replacementsMax = 3

/**
 * Returns the words of a search that no visible bookmark contains, in their order, each with the most similar words.
 * @param similar similar words by the index of the term, from findSimilarWords()
 */
export async function findCorrections(
  db: Db,
  terms: readonly SearchTerm[],
  similar: ReadonlyMap<number, readonly string[]>,
): Promise<NonNullable<ListingPage['corrected']>> {
  const pairs = [...similar].flatMap(([index, words]) => words.map((word) => ({ index, word })))
  return db`
    select searched.word,
           (array_agg(p.similar_word order by levenshtein(p.similar_word, folded), p.similar_word))[1:${replacementsMax}::int] as replacements
      from unnest(${pairs.map(({ index }) => index)}::int[], ${pairs.map(({ word }) => word)}::text[]) p (index, similar_word)
      join unnest(${terms.map(({ text }) => text)}::text[]) with ordinality searched (word, position) on position = p.index + 1,
      lateral unaccent(lower(searched.word)) folded
     where not exists (select from search_words where search_words.word = folded)
     group by searched.position, searched.word
     order by searched.position`
}
