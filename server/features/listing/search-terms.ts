/** The syntax of searches (docs/behaviour.md, Lists and search). No I/O; every text is a valid search. */

export interface SearchTerm {
  /** `phrase`: adjacent words. `tag`, `user`, `site`: exactly that name, in lower case. */
  kind: 'word' | 'phrase' | 'tag' | 'user' | 'site'
  text: string
  /** `-word`: must not match. */
  negated: boolean
}

/** An optional minus, an optional `tag:`, `user:` or `site:`, then a quoted text (the closing quote may be missing) or a word. */
const termPattern = /(-?)(?:(tag|user|site):(?=[^\s"]|"[^"]*[^\s"]))?(?:"([^"]*)(?:"|$)|(\S+))/giu

/** Parses a search. Text that matches no other term is a word. Words and phrases without letters and digits are left out. */
export function parseSearch(search: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, minus, prefix, quoted, bare] of search.matchAll(termPattern)) {
    const text = (quoted ?? bare ?? '').trim()
    const kind = (prefix?.toLowerCase() ?? (quoted === undefined ? 'word' : 'phrase')) as SearchTerm['kind']
    if (prefix === undefined && !/[\p{L}\p{N}]/u.test(text)) continue
    terms.push({ kind, text: normaliseTerm(kind, text), negated: minus === '-' })
  }
  return terms
}

function normaliseTerm(kind: SearchTerm['kind'], text: string): string {
  if (kind === 'word' || kind === 'phrase') return text
  if (kind !== 'site') return text.toLowerCase()
  // Accepts copied addresses: `https://www.youtube.com/` becomes `youtube.com`.
  return text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*/s, '')
    .replace(/^www\./, '')
}

/** Returns a name as a tsquery of a single lexeme: `tag:it's` → `'tag:it''s'`. */
export function lexemeQuery(kind: 'tag' | 'user' | 'site', text: string): string {
  return quoteLexeme(`${kind}:${text}`)
}

/** Returns a tsquery that matches any of the words. */
export function matchAnyWord(words: readonly string[]): string {
  return words.map(quoteLexeme).join(' | ')
}

function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/[\\']/g, '$&$&')}'`
}
