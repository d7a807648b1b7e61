/**
 * SQL conditions for what users share about themselves: their profile, and their likes, follows and saves
 * (docs/decisions/0052-privacy-settings.md). Every query uses them instead of restating them (visibility.test.ts). The
 * visibility of a list is that of the profile or its own, whichever is narrower. What users publish, such as public bookmarks
 * and comments, has its own access.
 */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../core/database/database.ts'
import { isPublicCollection, isVisible, isVisibleComment } from './visibility.ts'

/**
 * Sent in the transaction that changes the visibility of a profile or a username, because searches find bookmarks by the names of their
 * owners only if everyone may see the profile (server/migrations/functions/search.sql). Its data is a `user_id`.
 */
export const syncOwnerNameJob = { name: 'sync-owner-name' }

/** What a user may hide from others, by the name of its setting. */
export type PrivateList = 'likes' | 'following' | 'followers' | 'collector'

type ViewerId = Pick<Viewer, 'id'> | null
type Member = Pick<Viewer, 'id' | 'is_moderator'>

function visibility(db: Db, alias: string, name: PrivateList | 'profile'): Fragment {
  return db`${db(alias)}.${db.unsafe(`${name}_visibility`)}`
}

/** Users whose profile the viewer may see: by their page, their name and their id. Moderators see all profiles. */
export function canSeeProfile(db: Db, viewer: Member | null, alias = 'u'): Fragment {
  if (viewer === null) return isProfileForEveryone(db, alias)
  if (viewer.is_moderator) return db`true`
  return db`(${visibility(db, alias, 'profile')} <> 'only_me' or ${db(alias)}.id = ${viewer.id})`
}

/** Users whose profile visitors may see. */
export function isProfileForEveryone(db: Db, alias = 'u'): Fragment {
  return db`${visibility(db, alias, 'profile')} = 'everyone'`
}

/** Users whose profile only members may see. */
export function isProfileForMembers(db: Db, alias = 'u'): Fragment {
  return db`${visibility(db, alias, 'profile')} = 'members'`
}

/** Users who share a list with the viewer. Moderators see what other members see. */
export function sharesList(db: Db, list: PrivateList, viewer: ViewerId, alias = 'u'): Fragment {
  if (viewer === null) {
    return db`(${visibility(db, alias, 'profile')} = 'everyone' and ${visibility(db, alias, list)} = 'everyone')`
  }
  return db`(${sharesWithMembers(db, list, alias)} or ${db(alias)}.id = ${viewer.id})`
}

/** Users who share a list with all members. */
export function sharesWithMembers(db: Db, list: PrivateList, alias = 'u'): Fragment {
  return db`(${visibility(db, alias, 'profile')} <> 'only_me' and ${visibility(db, alias, list)} <> 'only_me')`
}

/** Whether members see more of a profile that everyone may see than visitors do. */
export function sharesMoreWithMembers(db: Db, alias = 'u'): Fragment {
  return db`'members' in (${visibility(db, alias, 'likes')}, ${visibility(db, alias, 'following')}, ${visibility(db, alias, 'followers')})`
}

/** The number of followers that the viewer may see. A hidden list counts as 0, like an empty one. */
export function visibleFollowersCount(db: Db, viewer: ViewerId, alias = 'u'): Fragment {
  return db`case when ${sharesList(db, 'followers', viewer, alias)} then ${db(alias)}.followers_count else 0 end`
}

/**
 * Users whose name the viewer may know: by their profile, or by something that they published. Others cannot be named in a
 * block, a mute or a report, because the response would reveal that they exist.
 */
export function canNameUser(db: Db, viewer: Member, alias = 'u'): Fragment {
  const id = db`${db(alias)}.id`
  return db`(${canSeeProfile(db, viewer, alias)}
    or exists (select from bookmarks b where b.user_id = ${id} and ${isVisible(db)})
    or exists (select from collections c where c.user_id = ${id} and ${isPublicCollection(db)})
    or exists (select from comments c where c.user_id = ${id} and ${isVisibleComment(db)}))`
}

/**
 * Counts rows as others than their owner see them: without adult items, unless the owner counts them too. At most the first
 * 10,000 rows are read.
 * @param rows selects the column `orientation` of each row
 * @param countsAdult whether adult items are counted; by default the setting of users `u`
 */
export function publicCount(db: Db, rows: Fragment, countsAdult = db`u.counts_adult`): Fragment {
  return db`(select count(*) filter (where orientation = 'sfw' or ${countsAdult})::int
               from (${rows} limit ${inlineNumber(db, limits.exactCountMax)}) counted)`
}
