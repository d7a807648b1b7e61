import type { FoundCollection } from '@reelmark/contract/collections.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { splitCount } from '../../core/http/paging.ts'
import { findByName, namedCollections, searchedNames, storedCountMin } from '../../shared/name-search.ts'
import { publicCount } from '../../shared/profile-visibility.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { canSeeInCollection, isPublicCollection } from '../../shared/visibility.ts'
import { joinCover } from './destination-queries.ts'

/**
 * Returns collections whose names contain the words of a text, the largest first, and their number: public ones, and the
 * viewer's own before them.
 */
export async function searchCollections(
  db: Db,
  { text, viewer, skip, size }: { text: string; viewer: Viewer | null; skip: number; size: number },
): Promise<{ count: number; results: FoundCollection[] }> {
  const viewerId = viewer?.id ?? null
  const found = findByName(db, text, namedCollections(db, viewer), searchedNames)
  const rows = await db<(FoundCollection & { count: number })[]>`
    with found as materialized (
      select id, popularity, is_own, row_number() over (order by is_own desc, popularity desc, id) as position
        from (select id, popularity, false as is_own from (${found}) public
              union all
              select c.id, c.visible_count, true from collections c
               where c.user_id = ${viewerId} and not ${isPublicCollection(db)} and c.name_words @@ (select name_query(${text}))) c
    )
    select total.count, c.id, c.name, c.description, c.access, picture.url as display_image_url,
           picture.orientation as display_image_orientation, ${userSummary(db, 'u')} as user,
           case when c.visible_count >= ${storedCountMin} and c.user_id is distinct from ${viewerId}::bigint
                then case when u.counts_adult then c.visible_count else c.visible_sfw_count end
                else ${publicCount(
                  db,
                  db`select b.effective_orientation as orientation from bookmarks b
                      where b.collection_id = c.id and ${canSeeInCollection(db, viewerId)}`,
                  db`u.counts_adult or u.id is not distinct from ${viewerId}::bigint`,
                )} end as bookmarks_count
      from (select count(*) from found) total
      left join (select * from found order by position limit ${size} offset ${skip}) page on true
      left join collections c on c.id = page.id
      left join users u on u.id = c.user_id
      ${joinCover(db, viewerId, db`b.collection_id = c.id`, db`c.cover_bookmark_id`)}
     order by page.position`
  return splitCount(rows)
}
