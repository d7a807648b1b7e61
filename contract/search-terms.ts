/** The syntax of searches (docs/behaviour.md, Lists and search). No I/O; every text is a valid search. */
import * as limits from './protocol/limits.ts'

/** What the words of a bookmark, its tags, its owner and its host are compared with. */
export interface SearchTerm {
  /**
   * `phrase`: adjacent words. `tag`, `user`, `site`: exactly that name, in lower case. `channel`: the name of the uploader,
   * compared without case and accents. `note`: words of the private note.
   */
  kind: 'word' | 'phrase' | 'tag' | 'user' | 'site' | 'channel' | 'note'
  text: string
  /** `-word`: must not match. */
  negated: boolean
}

export const bookmarkStates = ['private', 'watched', 'unwatched', 'adult', 'gone', 'later'] as const
/** What a bookmark can lack. */
export const bookmarkParts = ['tag', 'picture', 'player'] as const

/** A condition on the bookmark that is shown. `time` is the start of a day in UTC, in ISO 8601. */
export type FilterTerm = { negated: boolean } & (
  | { kind: 'before' | 'after'; time: string }
  | { kind: 'longer' | 'shorter'; seconds: number }
  | { kind: 'is'; state: (typeof bookmarkStates)[number] }
  | { kind: 'no'; part: (typeof bookmarkParts)[number] }
)

export interface ParsedSearch {
  terms: SearchTerm[]
  filters: FilterTerm[]
}

/** An optional minus, an optional operator, then a quoted text (the closing quote may be missing) or a word. */
const termPattern =
  /(-?)(?:(tag|user|site|channel|note|before|after|longer|shorter|is|no):(?=[^\s"]|"[^"]*[^\s"]))?(?:"([^"]*)(?:"|$)|(\S+))/giu

/**
 * Parses a search. Text without an operator is a word or a phrase. So is an invalid operator (`before:tomorrow`).
 * Words and phrases without letters and digits are left out.
 */
export function parseSearch(search: string): ParsedSearch {
  const parsed: ParsedSearch = { terms: [], filters: [] }
  for (const [, minus, prefix, quoted, bare] of search.matchAll(termPattern)) {
    const text = (quoted ?? bare ?? '').trim()
    const negated = minus === '-'
    const operator = prefix?.toLowerCase()
    if (operator === 'tag' || operator === 'user' || operator === 'site') {
      parsed.terms.push({ kind: operator, text: normaliseName(operator, text), negated })
      continue
    }
    if (operator === 'channel' || (operator === 'note' && hasWords(text))) {
      parsed.terms.push({ kind: operator, text, negated })
      continue
    }
    const filter = operator === undefined ? null : parseFilter(operator, text.toLowerCase(), negated)
    if (filter !== null) parsed.filters.push(filter)
    else if (hasWords(text)) {
      const kind = quoted === undefined ? 'word' : 'phrase'
      parsed.terms.push({ kind, text: prefix === undefined ? text : `${prefix}:${text}`, negated })
    }
  }
  return parsed
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function parseFilter(operator: string, value: string, negated: boolean): FilterTerm | null {
  if (operator === 'before' || operator === 'after') {
    const time = readDate(value)
    return time === null ? null : { kind: operator, time, negated }
  }
  if (operator === 'longer' || operator === 'shorter') {
    const seconds = readDuration(value)
    return seconds === null ? null : { kind: operator, seconds, negated }
  }
  if (operator === 'no') {
    const part = bookmarkParts.find((name) => name === value)
    return part === undefined ? null : { kind: 'no', part, negated }
  }
  const state = bookmarkStates.find((name) => name === value)
  return state === undefined ? null : { kind: 'is', state, negated }
}

/** Returns a name in lower case. Copied addresses become hosts: `https://www.youtube.com/` becomes `youtube.com`. */
export function normaliseName(kind: 'tag' | 'user' | 'site', text: string): string {
  if (kind !== 'site') return text.toLowerCase()
  return text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*/s, '')
    .replace(/^www\./, '')
}

/** Returns the term that finds the videos of an uploader. */
export function uploaderTerm(name: string): string {
  return `channel:"${name.replaceAll('"', '')}"`
}

/** Returns whether what a search finds depends on who searches, so that its results must not be shared. */
export function dependsOnViewer({ terms, filters }: ParsedSearch): boolean {
  const isOwn = (filter: FilterTerm) =>
    filter.kind === 'no' || (filter.kind === 'is' && filter.state !== 'adult')
  return filters.some(isOwn) || terms.some(({ kind }) => kind === 'note')
}

/** Returns whether a search can match only the viewer's own bookmarks, so that those are listed and no other ones. */
export function findsOwnOnly({ terms, filters }: ParsedSearch): boolean {
  const isOwn = (filter: FilterTerm) =>
    filter.kind === 'no' || (filter.kind === 'is' && ['private', 'gone', 'later'].includes(filter.state))
  return (
    filters.some((filter) => !filter.negated && isOwn(filter)) ||
    terms.some(({ kind, negated }) => kind === 'note' && !negated)
  )
}

/** Returns the beginning of a day, month or year in UTC, in ISO 8601; null if the text is not a date. */
export function readDate(text: string): string | null {
  const [, year, month = '01', day = '01'] = /^([1-9]\d{3})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? []
  if (year === undefined) return null
  const written = `${year}-${month}-${day}`
  const date = new Date(`${written}T00:00:00Z`)
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== written) return null
  return date.toISOString()
}

/** Returns the seconds of a duration such as `90s`, `10m`, `1h30m` or `1:30:00`; null if the text is not a duration. */
function readDuration(text: string): number | null {
  const units = /^(?:(\d{1,7})h)?(?:(\d{1,7})m)?(?:(\d{1,7})s)?$/.exec(text)
  const clock = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})$/.exec(text)
  const [, hours = '0', minutes = '0', seconds = '0'] = units ?? clock ?? []
  if (text === '' || (units === null && clock === null)) return null
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return total <= limits.durationMax ? total : null
}
