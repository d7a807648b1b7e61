/** Queries for users to follow, found by tags (docs/decisions/0071-onboarding.md). */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { SuggestedUser } from '@reelmark/contract/suggestions.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import { type Db, inlineNumber } from '../../../core/database/database.ts'
import {
  isProfileForEveryone,
  sharesWithMembers,
  visibleFollowersCount,
} from '../../../shared/profile-visibility.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { andNotHidden, andTagsNotMuted } from '../../../shared/user-visibility.ts'
import { isVisible } from '../../../shared/visibility.ts'
import { readSlices } from '../read-slices.ts'
import { allTimeSlices } from '../search-slices.ts'
import { lexemeQuery } from '../tsquery-text.ts'

/** How many of the newest bookmarks with one of the tags are compared, because popular tags have very many. */
const maxCompared = 500

export interface PickedTags {
  /** At least one, as they are stored. */
  tags: readonly string[]
  sfwOnly: boolean
}

/**
 * Returns the users who used the tags most among the newest visible bookmarks with one of them. These are read in the index of
 * words, slice by slice. Leaves out the viewer, users whom they follow, blocked or muted and users who blocked them, banned and
 * suspended users, those whose profile not everyone may see, and those who are not shown as collectors.
 */
export function suggestUsersByTags(
  db: Db,
  { tags, sfwOnly }: PickedTags,
  viewer: Viewer,
): Promise<SuggestedUser[]> {
  const query = tags.map((tag) => lexemeQuery('tag', tag)).join(' | ')
  const tagged = {
    id: db`b.id`,
    key: db`b.created_at`,
    from: db`bookmarks b`,
    where: db`${isVisible(db)} and b.search_vector @@ ${query}::text::tsquery and b.user_id <> ${viewer.id}
      ${sfwOnly ? db`and b.effective_orientation = 'sfw'` : db``}
      ${andNotHidden(db, db`b.user_id`, viewer, { muted: true })} ${andTagsNotMuted(db, db`b.tags`, viewer, tags)}`,
    cells: null,
  }
  const max = db`limit ${inlineNumber(db, maxCompared)}`
  const slices = allTimeSlices('own', Date.now() * 1000, 'older', maxCompared)
  return db<SuggestedUser[]>`
    with newest as materialized (
      select b.user_id, b.tags
        from (${readSlices(db, tagged, slices, db``, db`order by key desc, id desc ${max}`)} ${max}) found
        join bookmarks b on b.id = found.id
    ), uses as (
      select user_id, tag, count(*) as count
        from newest, unnest(newest.tags) tag
       where tag = any (${tags as string[]}::text[]) group by user_id, tag
    ), savers as (
      select user_id, array_agg(tag order by count desc, tag) as tags, sum(count) as uses_count
        from uses group by user_id
    )
    select u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified,
           ${visibleFollowersCount(db, viewer)} as followers_count, false as is_followed, s.tags
      from savers s join users u on u.id = s.user_id
     where u.banned_at is null and (u.suspended_until is null or u.suspended_until <= now())
       and ${isProfileForEveryone(db)} and ${sharesWithMembers(db, 'collector')}
       and not exists (select from follows f where f.follower_id = ${viewer.id} and f.followee_id = u.id)
     order by s.uses_count desc, u.shown_followers_count desc, u.id
     limit ${inlineNumber(db, limits.suggestedUsersMax)}`
}
