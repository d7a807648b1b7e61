import type { FoundUser } from '@reelmark/contract/profiles.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { findByName, namedUsers, searchedNames, storedCountMin } from '../../../shared/name-search.ts'
import { visibleFollowersCount } from '../../../shared/profile-visibility.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { publicBookmarksCount } from './queries.ts'

/** Returns users whose usernames contain the words of a text, the most followed first, and their number. */
export async function searchProfiles(
  db: Db,
  { text, viewer, skip, size }: { text: string; viewer: Viewer | null; skip: number; size: number },
): Promise<{ count: number; results: FoundUser[] }> {
  const viewerId = viewer?.id ?? null
  const found = findByName(db, text, namedUsers(db, text, viewer), searchedNames)
  const rows = await db<(FoundUser & { count: number })[]>`
    with found as materialized (
      select id, row_number() over (order by is_exact desc, popularity desc, id) as position from (${found}) named
    )
    select total.count, u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified, u.bio,
           ${visibleFollowersCount(db, viewer)} as followers_count,
           case when stored.count >= ${storedCountMin} then stored.count
                else ${publicBookmarksCount(db)} end as bookmarks_count,
           exists (select from follows f where f.follower_id = ${viewerId}::bigint and f.followee_id = u.id) as is_followed
      from (select count(*) from found) total
      left join (select * from found order by position limit ${size} offset ${skip}) page on true
      left join users u on u.id = page.id
      left join lateral (select sum(case when u.counts_adult then visible_count else visible_sfw_count end)::int as count
                           from collections where user_id = u.id) stored on true
     order by page.position`
  return splitCount(rows)
}
