/** The grammar of searches (docs/behaviour.md, Lists and search). Pure; no query fails. */

export interface SearchTerm {
  /** `phrase`: the words side by side. `tag`, `user`, `site`: that very name, in lower case. */
  kind: 'word' | 'phrase' | 'tag' | 'user' | 'site'
  text: string
  /** `-word`: must not match. */
  negated: boolean
}

/** An optional minus, an optional `tag:`, `user:` or `site:`, then "quoted text" (the end may be missing) or a word. */
const termPattern = /(-?)(?:(tag|user|site):(?=[^\s"]|"[^"]*[^\s"]))?(?:"([^"]*)(?:"|$)|(\S+))/giu

/** Reads a search as people write it. Whatever is no term of the grammar is a word like any other. */
export function parseSearch(search: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, minus, prefix, quoted, bare] of search.matchAll(termPattern)) {
    const text = (quoted ?? bare ?? '').trim()
    if (text === '') continue
    const kind = (prefix?.toLowerCase() ?? (quoted === undefined ? 'word' : 'phrase')) as SearchTerm['kind']
    terms.push({ kind, text: normaliseTerm(kind, text), negated: minus === '-' })
  }
  return terms
}

function normaliseTerm(kind: SearchTerm['kind'], text: string): string {
  if (kind === 'word' || kind === 'phrase') return text
  if (kind !== 'site') return text.toLowerCase()
  // As people copy it: `https://www.youtube.com/` is youtube.com.
  return text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\./, '')
}

/** A name as a tsquery of its one lexeme: `tag:it's` → `'tag:it''s'`. */
export function lexemeQuery(kind: 'tag' | 'user' | 'site', text: string): string {
  return quoteLexeme(`${kind}:${text}`)
}

/** Any of the words, as a tsquery. */
export function anyOf(words: readonly string[]): string {
  return words.map(quoteLexeme).join(' | ')
}

function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/[\\']/g, '$&$&')}'`
}
