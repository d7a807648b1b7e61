/** Former usernames in searches (docs/decisions/0098-changing-usernames.md). */
import type { ParsedSearch } from '@reelmark/contract/search-terms.ts'
import type { Db } from '../../core/database/database.ts'

/**
 * Returns a search with the current usernames in place of former ones, because search vectors contain only these. Takes a
 * statement if the search has a term `user:`.
 */
export async function replaceFormerUsernames(db: Db, search: ParsedSearch): Promise<ParsedSearch> {
  const named = search.terms.filter(({ kind }) => kind === 'user').map(({ text }) => text)
  if (named.length === 0) return search
  const found = await db<{ former: string; current: string }[]>`
    select lower(f.username) as former, lower(u.username) as current
      from former_usernames f join users u on u.id = f.user_id
     where lower(f.username) = any (${named}::text[])`
  const usernames = new Map(found.map(({ former, current }) => [former, current]))
  const terms = search.terms.map((term) =>
    term.kind === 'user' ? { ...term, text: usernames.get(term.text) ?? term.text } : term,
  )
  return { ...search, terms }
}
