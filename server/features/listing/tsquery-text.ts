/** Search terms as texts that PostgreSQL reads as a tsquery. */

/**
 * Returns the bookmarks of a user as a tsquery. Visitors find those of users whose profile everyone sees, members also those of
 * profiles for members, and moderators and the user all (server/migrations/functions/search.sql).
 */
export function ownerQuery(
  username: string,
  viewer: { username: string; is_moderator: boolean } | null,
): string {
  const name = username.toLowerCase()
  if (viewer === null) return lexemeQuery('user', name)
  const seesAll = viewer.is_moderator || viewer.username.toLowerCase() === name
  return (seesAll ? ownerLexemes : ownerLexemes.slice(0, 2))
    .map((kind) => lexemeQuery(kind, name))
    .join(' | ')
}

const ownerLexemes = ['user', 'member', 'owner'] as const

/** Returns a name as a tsquery of a single lexeme: `tag:it's` → `'tag:it''s'`. */
export function lexemeQuery(kind: 'tag' | 'site' | (typeof ownerLexemes)[number], text: string): string {
  return quoteLexeme(`${kind}:${text}`)
}

/** Returns a tsquery that matches any of the words. */
export function matchAnyWord(words: readonly string[]): string {
  return words.map(quoteLexeme).join(' | ')
}

function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/[\\']/g, '$&$&')}'`
}
