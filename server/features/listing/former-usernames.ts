/** Former usernames in what a request lists (docs/decisions/0098-changing-usernames.md). */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { ParsedSearch } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'

/**
 * Returns a query and its search with the current usernames in place of former ones. Bookmarks are found by the current
 * username only. One statement, if a user other than the viewer is named.
 */
export async function replaceFormerUsernames(
  db: Db,
  query: ListingQuery,
  search: ParsedSearch,
  viewer: Viewer | null,
): Promise<{ query: ListingQuery; search: ParsedSearch }> {
  const terms = search.terms.filter(({ kind }) => kind === 'user').map(({ text }) => text)
  const named = [query.user ?? '', query.liked_by ?? '', ...terms].map((name) => name.toLowerCase())
  const others = named.filter((name) => name !== '' && name !== viewer?.username.toLowerCase())
  if (others.length === 0) return { query, search }
  const found = await db<{ former: string; username: string }[]>`
    select lower(f.username) as former, u.username from former_usernames f join users u on u.id = f.user_id
     where lower(f.username) = any (${others}::text[])`
  if (found.length === 0) return { query, search }
  const usernames = new Map(found.map(({ former, username }) => [former, username]))
  const replace = (name: string) => usernames.get(name.toLowerCase()) ?? name
  return {
    query: {
      ...query,
      ...(query.user === undefined ? {} : { user: replace(query.user) }),
      ...(query.liked_by === undefined ? {} : { liked_by: replace(query.liked_by) }),
    },
    search: {
      ...search,
      terms: search.terms.map((term) =>
        term.kind === 'user' ? { ...term, text: replace(term.text).toLowerCase() } : term,
      ),
    },
  }
}
