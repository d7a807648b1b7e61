/** Search terms as texts that PostgreSQL reads as a tsquery. */

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
