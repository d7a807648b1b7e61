/** Queries for the users who are suggested while a mention is typed. */
import type { UserSummary } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../../core/database/database.ts'
import { findByName, namedUsers } from '../../../shared/name-search.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { canSeeVideo, hasLead, isVisibleComment } from '../../../shared/visibility.ts'

/** How many of the newest comments on the video, and of the newest replies to each, are read for their authors. */
const comparedComments = 100
const comparedReplies = 10
/** How many of the users whom the viewer followed last are compared with the text. */
const comparedFollows = 500
/** How many of the most followed users are compared with the text first, and how many are found: one of them can be the viewer. */
const size = { limit: limits.suggestionsMax + 1, compared: 1000 }

export interface MentionRequest {
  /** The beginning of a name. */
  text: string
  /** The video whose discussion the text is part of; null: the text is not a comment. */
  videoId: number | null
}

/**
 * Returns users whose name has a word that begins with the text: the user with exactly this name, then participants of the
 * discussion, then users whom the viewer follows, then all others. Leaves out users whose profile the viewer may not see,
 * users whom the viewer blocked or muted, and users who blocked the viewer.
 */
export function suggestMentions(db: Db, request: MentionRequest, viewer: Viewer): Promise<UserSummary[]> {
  const { text } = request
  const named = namedUsers(db, text, viewer)
  return db<UserSummary[]>`
    with discussion as materialized (
      select c.id, c.user_id from comments c
       where c.video_id = ${request.videoId}::bigint and c.parent_id is null and ${isVisibleComment(db)}
         and (${mayReadDiscussion(db, request, viewer)})
       order by c.created_at desc, c.id desc limit ${inlineNumber(db, comparedComments)}
    ), near (user_id, distance) as (
      select user_id, 1 from discussion
      union all
      select r.user_id, 1 from discussion d cross join lateral (
        select r.user_id from comments r where r.parent_id = d.id and ${isVisibleComment(db, 'r')}
         order by r.created_at desc, r.id desc limit ${inlineNumber(db, comparedReplies)}) r
      union all
      (select f.followee_id, 2 from follows f where f.follower_id = ${viewer.id}
        order by f.created_at desc, f.followee_id desc limit ${inlineNumber(db, comparedFollows)})
    )
    select u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified
      from (select id, min(distance) as distance
              from (select known.id, n.distance
                      from (select user_id, min(distance) as distance from near group by user_id) n
                     cross join lateral (
                       -- The offset makes the planner look each of these few users up.
                       select u.id from users u
                        where u.id = n.user_id and ${named.where} and ${named.words} @@ (select name_query(${text})) offset 0) known
                    union all
                    select id, 3 from (${findByName(db, text, named, size)}) popular) found
             group by id) found
      join users u on u.id = found.id
     where u.id <> ${viewer.id}
     order by lower(u.username) = lower(${text}) desc, found.distance, starts_with(lower(u.username), lower(${text})) desc,
              ${named.popularity} desc, u.id
     limit ${inlineNumber(db, limits.suggestionsMax)}`
}

/** Selects `true` if the viewer may see the comments on the video. Those of a video without public bookmarks are never shown. */
function mayReadDiscussion(db: Db, { videoId }: MentionRequest, viewer: Viewer): Fragment {
  return db`select true from videos v
    where v.id = ${videoId}::bigint and ${hasLead(db)} and ${canSeeVideo(db, viewer.id, viewer.is_moderator)}`
}
