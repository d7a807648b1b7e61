/** Turns searches into SQL: all terms in one tsquery, so that one index serves words, tags, users and hosts. */
import type { SearchTerm } from '@reelmark/contract/search-terms.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { lexemeQuery, matchAnyWord } from './tsquery-text.ts'

/** Returns a tsquery that all terms must match. `close` has similar words by the index of the term. */
export function searchTsquery(
  db: Db,
  terms: readonly SearchTerm[],
  close: ReadonlyMap<number, string[]> = new Map(),
): Fragment {
  const all = terms.map((term, position) => {
    const exact = termQuery(db, term)
    const words = close.get(position)
    const query = words === undefined ? exact : db`(${exact} || ${matchAnyWord(words)}::text::tsquery)`
    return term.negated ? db`!!${query}` : query
  })
  const [first = db`''::tsquery`, ...rest] = all
  return db`(${rest.reduce((query, next) => db`${query} && ${next}`, first)})`
}

function termQuery(db: Db, { kind, text }: SearchTerm): Fragment {
  if (kind === 'word') return db`search_query(${text}, false)`
  if (kind === 'phrase') return db`search_query(${text}, true)`
  return db`${lexemeQuery(kind, text)}::text::tsquery`
}

/**
 * Returns words in use that are similar to those of a search, by the index of the term; empty if no word is similar.
 * Tags, users, sites, phrases and negated terms are taken literally.
 */
export async function findSimilarWords(db: Db, terms: readonly SearchTerm[]): Promise<Map<number, string[]>> {
  const similar = new Map<number, string[]>()
  const searched = terms.flatMap(({ kind, negated, text }, index) =>
    kind === 'word' && !negated && text.length >= minFuzzyLength ? [{ index, text }] : [],
  )
  if (searched.length === 0) return similar
  const found = await db<{ position: number; word: string }[]>`
    select ordinal as position, word from similar_words(
      array(select unaccent(lower(word))
              from unnest(${searched.map(({ text }) => text)}::text[]) with ordinality as words (word, position)
             order by position))`
  for (const { position, word } of found) {
    const index = searched[position - 1]?.index
    if (index !== undefined) similar.set(index, [...(similar.get(index) ?? []), word])
  }
  return similar
}

/** Shorter words would be similar to too many others. */
const minFuzzyLength = 4
