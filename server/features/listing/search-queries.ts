/** Searches as SQL: the terms of rules.ts as one tsquery, so that one index answers words, tags and hosts together. */
import type { Db, Fragment } from '../../core/database/database.ts'
import { anyOf, lexemeQuery, type SearchTerm } from './search-terms.ts'

/** A tsquery that all terms must match. `close` has more words for some of them, by the place of the term. */
export function searchTsquery(
  db: Db,
  terms: readonly SearchTerm[],
  close: ReadonlyMap<number, string[]> = new Map(),
): Fragment {
  const all = terms.map((term, position) => {
    const exact = termQuery(db, term)
    const words = close.get(position)
    const query = words === undefined ? exact : db`(${exact} || ${anyOf(words)}::text::tsquery)`
    return term.negated ? db`!!${query}` : query
  })
  const [first = db`''::tsquery`, ...rest] = all
  return db`(${rest.reduce((query, next) => db`${query} && ${next}`, first)})`
}

function termQuery(db: Db, { kind, text }: SearchTerm): Fragment {
  if (kind === 'word') return db`plainto_tsquery('reelmark', search_text(${text}))`
  if (kind === 'phrase') return db`phraseto_tsquery('reelmark', search_text(${text}))`
  return db`${lexemeQuery(kind, text)}::text::tsquery`
}

/**
 * Words in use that are like those searched for, by the place of the term; empty where there are none.
 * A tag, a user or a site named exactly, a phrase, and what must not match are taken at their word.
 */
export async function findSimilarWords(db: Db, terms: readonly SearchTerm[]): Promise<Map<number, string[]>> {
  const close = new Map<number, string[]>()
  const words = terms.map((term) =>
    term.kind === 'word' && !term.negated && term.text.length >= minFuzzyLength ? term.text : '',
  )
  if (words.every((word) => word === '')) return close
  const found = await db<{ place: number; word: string }[]>`
    select place, word from close_words(
      array(select unaccent(lower(word)) from unnest(${words}::text[]) with ordinality as each (word, place)
             order by place))`
  for (const { place: position, word } of found) {
    close.set(position - 1, [...(close.get(position - 1) ?? []), word])
  }
  return close
}

/** Nearly every short word is like some other. */
const minFuzzyLength = 4
