/** The search language as a plain model: which terms a bookmark matches, computed from its texts without the database. */
import type { bookmarkParts, FilterTerm, ParsedSearch, SearchTerm } from '@reelmark/contract/search-terms.ts'

/** The texts of a bookmark that a search reads. */
export interface SearchedTexts {
  title: string
  description: string
  tags: string[]
  username: string
  host: string
  uploader: string
  /** Empty unless the viewer searches their own bookmarks. */
  note: string
}

/** The state of the bookmark that is shown, as the viewer sees it. */
export interface ShownBookmark {
  created_at: Date
  /** In seconds; null: unknown. */
  duration: number | null
  orientation: string
  isWatched: boolean
  /** A private bookmark of the viewer. */
  isOwnPrivate: boolean
  /** One that is gone, if it is the viewer's own and the list shows bookmarks of an owner. */
  isOwnMissing: boolean
  /** One in the viewer's Watch Later, if the list shows bookmarks of an owner. */
  isOwnLater: boolean
  /** What it lacks, if it is the viewer's own and the list shows bookmarks of an owner. */
  lacks: (typeof bookmarkParts)[number][]
}

/** Returns a search text for the terms and filters. */
export function formatSearch({ terms, filters }: ParsedSearch): string {
  return [...terms.map(formatTerm), ...filters.map(formatFilter)].join(' ')
}

function formatTerm({ kind, text, negated }: SearchTerm): string {
  const prefix = kind === 'word' || kind === 'phrase' ? '' : `${kind}:`
  const quoted = kind === 'phrase' || (prefix !== '' && /\s/.test(text)) ? `"${text}"` : text
  return `${negated ? '-' : ''}${prefix}${quoted}`
}

function formatFilter(filter: FilterTerm): string {
  return `${filter.negated ? '-' : ''}${filter.kind}:${formatValue(filter)}`
}

function formatValue(filter: FilterTerm): string {
  if ('time' in filter) return filter.time.slice(0, 10)
  if ('seconds' in filter) return `${filter.seconds}s`
  return 'state' in filter ? filter.state : filter.part
}

/** Returns whether a bookmark meets all conditions. */
export function matchesFilters(shown: ShownBookmark, filters: readonly FilterTerm[]): boolean {
  return filters.every((filter) => meets(filter) !== filter.negated)

  function meets(filter: FilterTerm): boolean {
    switch (filter.kind) {
      case 'after':
        return shown.created_at >= new Date(filter.time)
      case 'before':
        return shown.created_at < new Date(filter.time)
      case 'longer':
        return shown.duration !== null && shown.duration >= filter.seconds
      case 'shorter':
        return shown.duration !== null && shown.duration < filter.seconds
      case 'is':
        if (filter.state === 'adult') return shown.orientation !== 'sfw'
        if (filter.state === 'private') return shown.isOwnPrivate
        if (filter.state === 'gone') return shown.isOwnMissing
        if (filter.state === 'later') return shown.isOwnLater
        return shown.isWatched === (filter.state === 'watched')
      case 'no':
        return shown.lacks.includes(filter.part)
    }
  }
}

/** Returns the words of a text as a search compares them: without case, accents and punctuation. */
export function wordsOf(text: string): string[] {
  return foldCase(text.replace(/['’]/g, ''))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Returns a text in lower case without accents. */
export function foldCase(text: string): string {
  // Russian й has no other form, unlike é.
  return text
    .toLowerCase()
    .replace(/[^\u0400-\u04ff]/gu, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''))
    .replaceAll('ß', 'ss')
}

/**
 * Returns whether a bookmark matches all terms.
 * @param similar returns the words that also match a misspelt word
 */
export function matchesSearch(
  texts: SearchedTexts,
  terms: readonly SearchTerm[],
  similar: (term: SearchTerm) => readonly string[] = () => [],
): boolean {
  const fields = [texts.title, ...texts.tags, texts.username, texts.host, texts.description, texts.note].map(
    wordsOf,
  )
  const words = new Set(fields.flat())
  return terms.every((term) => {
    const searched = wordsOf(term.text)
    const isName = ['tag', 'user', 'site', 'channel'].includes(term.kind)
    // Text without letters and digits has nothing to compare.
    if (searched.length === 0 && !isName) return true
    return matchesTerm() !== term.negated

    function matchesTerm(): boolean {
      switch (term.kind) {
        case 'word':
          return searched.every((word) => words.has(word)) || similar(term).some((word) => words.has(word))
        case 'phrase':
          return fields.some((field) => containsInOrder(field, searched))
        case 'note':
          return searched.every((word) => wordsOf(texts.note).includes(word))
        case 'tag':
          return texts.tags.includes(term.text)
        case 'user':
          return texts.username.toLowerCase() === term.text
        case 'channel':
          return uploaderKey(texts.uploader) === uploaderKey(term.text)
        case 'site':
          // A top-level domain alone is no site.
          return term.text.includes('.') && `.${texts.host}`.endsWith(`.${term.text}`)
      }
    }
  })
}

/** Returns the name by which uploaders are compared. */
function uploaderKey(name: string): string {
  return foldCase(name.replaceAll('"', '')).trim().split(/\s+/).join(' ')
}

function containsInOrder(field: readonly string[], phrase: readonly string[]): boolean {
  return field.some((_, start) => phrase.every((word, index) => field[start + index] === word))
}
