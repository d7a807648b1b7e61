/** Updates by which names searches find a user's bookmarks, after the visibility of the profile or the username changed. */
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { bookmarkBatchSize } from '../../../shared/batch-size.ts'

/** Bookmarks `b` of users `u` whose search vector does not have the lexeme of the current username and visibility. */
function hasOutdatedName(db: Db): Fragment {
  return db`not b.search_vector @@ array_to_tsvector(array[owner_lexeme(u.username, u.profile_visibility)])::text::tsquery`
}

/** Sets the search vectors of a user's bookmarks again, in batches. */
export async function syncOwnerName(db: Sql, userId: number): Promise<void> {
  let after = 0
  for (;;) {
    const rows = await db<{ id: number }[]>`
      select b.id from bookmarks b join users u on u.id = b.user_id
       where b.user_id = ${userId} and b.id > ${after} and ${hasOutdatedName(db)}
       order by b.id limit ${bookmarkBatchSize}`
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      // The trigger set_bookmark_search creates the vector.
      await tx`update bookmarks set title = title where id = any (${ids}::bigint[])`
      await tx`
        update popular_bookmarks p set search_vector = b.search_vector
          from bookmarks b where b.id = p.bookmark_id and b.id = any (${ids}::bigint[])`
    })
    after = ids.at(-1) ?? after
  }
}
