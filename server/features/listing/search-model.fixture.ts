/** The search language as a plain model: which terms a bookmark matches, computed from its texts without the database. */
import type { SearchTerm } from './search-terms.ts'

/** The texts of a bookmark that a search reads. */
export interface SearchedTexts {
  title: string
  description: string
  tags: string[]
  username: string
  host: string
}

/** Returns a search text for the terms. */
export function formatSearch(terms: readonly SearchTerm[]): string {
  return terms
    .map(({ kind, text, negated }) => {
      const prefix = kind === 'word' || kind === 'phrase' ? '' : `${kind}:`
      const quoted = kind === 'phrase' || (prefix !== '' && /\s/.test(text)) ? `"${text}"` : text
      return `${negated ? '-' : ''}${prefix}${quoted}`
    })
    .join(' ')
}

/** Returns the words of a text as a search compares them: without case, accents and punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/['’]/g, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
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
  const fields = [texts.title, ...texts.tags, texts.username, texts.host, texts.description].map(wordsOf)
  const words = new Set(fields.flat())
  return terms.every((term) => {
    const searched = wordsOf(term.text)
    const isName = term.kind === 'tag' || term.kind === 'user' || term.kind === 'site'
    // Text without letters and digits has nothing to compare.
    if (searched.length === 0 && !isName) return true
    return matchesTerm() !== term.negated

    function matchesTerm(): boolean {
      switch (term.kind) {
        case 'word':
          return searched.every((word) => words.has(word)) || similar(term).some((word) => words.has(word))
        case 'phrase':
          return fields.some((field) => containsInOrder(field, searched))
        case 'tag':
          return texts.tags.includes(term.text)
        case 'user':
          return texts.username.toLowerCase() === term.text
        case 'site':
          // A top-level domain alone is no site.
          return term.text.includes('.') && `.${texts.host}`.endsWith(`.${term.text}`)
      }
    }
  })
}

function containsInOrder(field: readonly string[], phrase: readonly string[]): boolean {
  return field.some((_, start) => phrase.every((word, index) => field[start + index] === word))
}
