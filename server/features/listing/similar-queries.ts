/** Similar videos: listed ones of the same orientation, so that adult content is never shown next to other content. */

import type { ListingItem } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { andNotBlockedByOwner, andNotHidden, andTagsNotMuted } from '../../shared/user-visibility.ts'
import { canSeeBookmark, isListed, isVisible } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import { lexemeQuery } from './tsquery-text.ts'

/** How many of the newest bookmarks with a common tag are compared, because popular tags have too many. */
const maxCompared = 200

/** Returns what similar bookmarks are found by; null if the viewer may not see the bookmark. */
export async function readSimilarityKey(
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<SimilarityKey | null> {
  const [similarityKey] = await db<SimilarityKey[]>`
    select b.video_id, b.tags, b.effective_orientation as orientation, v.host, u.username
      from bookmarks b join videos v on v.id = b.video_id join users u on u.id = b.user_id
     where b.id = ${id} and ${canSeeBookmark(db, viewer)} ${andNotBlockedByOwner(db, db`b.user_id`, viewer)}`
  return similarityKey ?? null
}

export interface SimilarityKey {
  video_id: number
  tags: string[]
  orientation: string
  host: string
  username: string
}

/**
 * Returns similar videos: those with the most common tags first, then the newest, then those of the same host or owner.
 * Leaves out muted and blocked content. A separate statement from readSimilarityKey(), because the planner must know the
 * tags to distinguish rare from popular ones.
 */
export async function findSimilar(
  db: Db,
  { video_id, tags, orientation, host, username }: SimilarityKey,
  viewer: Viewer | null,
): Promise<ListingItem[]> {
  const andNotHiddenOrMuted = db`${andNotHidden(db, db`b.user_id`, viewer, { muted: true })} ${andTagsNotMuted(db, db`b.tags`, viewer, [])}`
  // Hidden users are filtered after the newest were found: within, the planner would scan all bookmarks by date.
  const newest = (query: string, max: number): Fragment => db`
    select b.id, b.tags, b.created_at
      from (select b.id, b.user_id, b.tags, b.created_at from bookmarks b
             where ${isVisible(db)} and ${isListed(db)} and b.effective_orientation = ${orientation} and b.video_id <> ${video_id}
               and b.search_vector @@ ${query}::text::tsquery
             order by b.created_at desc, b.id desc limit ${inlineNumber(db, max)}) b
     where true ${andNotHiddenOrMuted}`
  const byTags = tags.map((tag) => lexemeQuery('tag', tag)).join(' | ')
  const byHostOrOwner = [lexemeQuery('site', host), lexemeQuery('user', username.toLowerCase())].join(' | ')
  const tagged =
    tags.length === 0
      ? db`select null::bigint as id, null::text[] as tags, null::timestamptz as created_at where false`
      : newest(byTags, maxCompared)
  return db<ListingItem[]>`
    with tagged as (${tagged}), related as (${newest(byHostOrOwner, viewer?.has_blocks_or_mutes ? maxCompared : limits.similarMax)}), found as (
      select id, created_at, max(shared) as shared
        from (select id, created_at, (select count(*) from unnest(tags) tag where tag = any (${tags}::text[])) as shared
                from tagged
              union all select id, created_at, 0 from related) candidates
       group by id, created_at order by shared desc, created_at desc, id desc limit ${limits.similarMax})
    select ${cardColumns(db, viewer?.id ?? null)}
      from found f join bookmarks b on b.id = f.id join videos v on v.id = b.video_id
      join users u on u.id = b.user_id
     order by f.shared desc, f.created_at desc, f.id desc`
}
