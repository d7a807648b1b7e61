/** Turns searches into SQL: all terms in one tsquery, so that one index serves words, tags, users and hosts. */
import type { SearchTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { isNotTrashed } from '../../shared/visibility.ts'
import { searchKeys } from './search-slices.ts'
import { lexemeQuery, matchAnyWord, ownerQuery } from './tsquery-text.ts'

/** A search as conditions for search vectors. */
export interface SearchCondition {
  /** A tsquery that all results match. */
  tsquery: Fragment
  /** A tsquery of what the search excludes, without private notes; null if it excludes nothing. */
  excluded: Fragment | null
  /** The same for private notes. */
  excludedNotes: Fragment | null
  /**
   * What the index finds instead if the search contains phrases, because it has no positions: the keys of pairs of adjacent words,
   * and a tsquery of the words that are in no pair, without their order (null: all are in pairs). Null without phrases.
   */
  indexed: { tsquery: Fragment | null; pairKeys: Fragment } | null
}

/**
 * Returns the condition that all terms match. `close` has similar words by the index of the term. `user:` finds only users whose
 * profile the viewer may see.
 */
export function searchCondition(
  db: Db,
  terms: readonly SearchTerm[],
  viewer: Viewer | null,
  close: ReadonlyMap<number, string[]> = new Map(),
): SearchCondition {
  const termQuery = (term: SearchTerm) => queryOfTerm(db, term, viewer)
  const query = (term: SearchTerm, position: number, exact: Fragment) => {
    const any = orSimilar(db, exact, close.get(position))
    return term.negated ? db`!!${any}` : any
  }
  const tsquery = matchAll(
    db,
    terms.map((term, position) => query(term, position, termQuery(term))),
  )
  const excludedBy = (isExcluded: (term: SearchTerm) => boolean) =>
    matchAny(
      db,
      terms.filter((term) => term.negated && isExcluded(term)).map((term) => termQuery(term)),
    )
  const excluded = excludedBy(({ kind }) => kind !== 'note')
  const excludedNotes = excludedBy(({ kind }) => kind === 'note')
  if (!terms.some(hasPositions)) return { tsquery, excluded, excludedNotes, indexed: null }
  // The words of a pair are left out: few other bookmarks have its key, and reading the words takes longer than reading those.
  const unordered = terms.flatMap((term, position) => {
    if (!hasPositions(term)) return [query(term, position, termQuery(term))]
    return term.negated || isOfPairs(term)
      ? []
      : [query(term, position, db`unordered_query(${termQuery(term)})`)]
  })
  const excludesOnly = terms.every((term) => term.negated || isOfPairs(term))
  const pairKeys = terms.flatMap((term, position) =>
    hasPositions(term) && !term.negated && !close.has(position)
      ? [db`word_pair_keys(${termQuery(term)})`]
      : [],
  )
  const noKeys = db.unsafe(`'{}'::int[]`) as Fragment
  return {
    tsquery,
    excluded,
    excludedNotes,
    indexed: {
      // Excluded words alone find nothing.
      tsquery: excludesOnly ? null : matchAll(db, unordered),
      pairKeys: db`(${pairKeys.reduce((all, keys) => db`${all} || ${keys}`, noKeys)})`,
    },
  }
}

/** The condition that bookmarks match a search, as the index of words serves it. */
export function matchesCondition(db: Db, { tsquery, indexed }: SearchCondition, alias = 'b'): Fragment {
  const vector = db`${db(alias)}.search_vector`
  if (indexed === null) return db`${vector} @@ ${tsquery}`
  // `is true` excludes the last condition from those of the index, which would otherwise compute the keys of each result.
  return db`${indexed.tsquery === null ? db`` : db`${vector} @@ ${indexed.tsquery} and`}
    ${searchKeys(db, alias)} @> ${indexed.pairKeys} and (${vector} @@ ${tsquery}) is true`
}

/**
 * Returns `and …`: the lead bookmark of a video, which is shown, and an own one with a private note do not match what a search
 * excludes. `tsquery` only says that some bookmark of the video does not match. `offset 0` makes PostgreSQL look up these
 * bookmarks of each result, instead of reading all that match what is excluded.
 */
export function andNotExcluded(
  db: Db,
  { excluded, excludedNotes }: SearchCondition,
  { videoId, leadId }: { videoId: Fragment; leadId: Fragment },
  viewer: Viewer | null,
): Fragment {
  const ofLead =
    excluded === null
      ? db``
      : db`and not exists (select from bookmarks o where o.id = ${leadId} and o.search_vector @@ ${excluded} offset 0)`
  if (excludedNotes === null || viewer === null) return ofLead
  return db`${ofLead} and not exists (select from bookmarks o
    where o.video_id = ${videoId} and o.user_id = ${viewer.id} and ${isNotTrashed(db, 'o')} and ${hasNote(db, excludedNotes, 'o')} offset 0)`
}

/** Returns `and …`: bookmarks of the viewer do not match the private notes that a search excludes. */
export function andNoteNotExcluded(
  db: Db,
  { excludedNotes }: SearchCondition,
  viewer: Viewer | null,
): Fragment {
  if (excludedNotes === null || viewer === null) return db``
  return db`and (b.user_id = ${viewer.id} and ${hasNote(db, excludedNotes, 'b')}) is not true`
}

function hasNote(db: Db, notes: Fragment, alias: string): Fragment {
  return db`vault_words(${db(alias)}.search_vector, ${db(alias)}.private_note) @@ ${notes}`
}

/** Characters of languages without spaces between words, and others of their blocks. */
const unspaced = /[\u0e00-\u0e7f\u3000-\uffff\u{20000}-\u{3ffff}]/u

/**
 * Returns whether a term is a phrase of several words, each of which is in a pair. With punctuation or in a language without
 * spaces, it can be a single word.
 */
function isOfPairs({ kind, text }: SearchTerm): boolean {
  return kind === 'phrase' && /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)+$/u.test(text) && !unspaced.test(text)
}

/** Returns whether a term is about adjacent words: a phrase, or a word of a language without spaces, which is one of pairs. */
function hasPositions({ kind, text }: SearchTerm): boolean {
  return kind === 'phrase' || (kind === 'word' && unspaced.test(text))
}

function matchAll(db: Db, [first = db`''::tsquery`, ...rest]: Fragment[]): Fragment {
  return db`(${rest.reduce((query, next) => db`${query} && ${next}`, first)})`
}

function matchAny(db: Db, [first, ...rest]: Fragment[]): Fragment | null {
  return first === undefined ? null : db`(${rest.reduce((query, next) => db`${query} || ${next}`, first)})`
}

/** The words and phrases of a search, which determine how well a bookmark matches it. */
export interface RankedWords {
  /** A tsquery that any of them matches. */
  query: Fragment
  /** How many times as many words it contains as the search, which ts_rank() divides by. */
  scale: number
}

/** Returns what to rank by. Tags, users, sites and uploaders are ignored, because they match all results equally. */
export function rankedWords(
  db: Db,
  terms: readonly SearchTerm[],
  close: ReadonlyMap<number, string[]> = new Map(),
): RankedWords {
  const ranked = terms.flatMap((term, position) =>
    !term.negated && (term.kind === 'word' || term.kind === 'phrase')
      ? [{ term, words: close.get(position) }]
      : [],
  )
  const wordCount = ranked.reduce((sum, { words = [] }) => sum + 1 + words.length, 0)
  const queries = ranked.map(({ term, words }) => orSimilar(db, queryOfTerm(db, term, null), words))
  return {
    query: matchAny(db, queries) ?? db`''::tsquery`,
    scale: wordCount / Math.max(ranked.length, 1),
  }
}

function orSimilar(db: Db, exact: Fragment, words: string[] | undefined): Fragment {
  return words === undefined ? exact : db`(${exact} || ${matchAnyWord(words)}::text::tsquery)`
}

function queryOfTerm(db: Db, { kind, text }: SearchTerm, viewer: Viewer | null): Fragment {
  if (kind === 'word') return db`search_query(${text}, false)`
  if (kind === 'phrase') return db`search_query(${text}, true)`
  if (kind === 'user') return db`${ownerQuery(text, viewer)}::text::tsquery`
  if (kind === 'channel') return db`uploader_query(${text})`
  if (kind === 'note') return db`note_query(${text})`
  return db`${lexemeQuery(kind, text)}::text::tsquery`
}

/**
 * Returns words in use that are similar to those of a search, by the index of the term; empty if no word is similar.
 * Tags, users, sites, uploaders, phrases and negated terms are taken literally.
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
