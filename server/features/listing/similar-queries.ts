/** What is like a bookmark: listed ones of the same orientation, so that nothing adult stands beside what is not. */

import type { ListingItem } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import {
  andNotBlockedByOwner,
  andNotHidden,
  andTagsNotMuted,
  type VisibilityViewer,
} from '../../shared/user-visibility.ts'
import { canSeeBookmark, isListed, isVisible } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import { lexemeQuery } from './search-terms.ts'

/** How many of the newest that share a tag are compared: tags that everybody uses would have all of them. */
const maxCompared = 200

/** What of a bookmark makes others like it; null where it is not there or not the viewer's to see. */
export async function readSimilarityKey(
  db: Db,
  id: number,
  viewer: VisibilityViewer | null,
): Promise<SimilarityKey | null> {
  const [likeness] = await db<SimilarityKey[]>`
    select b.video_id, b.tags, b.effective_orientation as orientation, v.host, u.username
      from bookmarks b join videos v on v.id = b.video_id join users u on u.id = b.user_id
     where b.id = ${id} and ${canSeeBookmark(db, viewer)} ${andNotBlockedByOwner(db, db`b.user_id`, viewer)}`
  return likeness ?? null
}

export interface SimilarityKey {
  video_id: number
  tags: string[]
  orientation: string
  host: string
  username: string
}

/**
 * The most tags in common first, then the newest; where that is too few, of the same host or owner. What the viewer muted
 * or whom they do not come across is left out. One statement: not one with what it is like, whose words the planner has to
 * know to tell a rare tag from a common one.
 */
export async function findSimilar(
  db: Db,
  { video_id, tags, orientation, host, username }: SimilarityKey,
  viewer: VisibilityViewer | null,
): Promise<ListingItem[]> {
  const hiddenIds = db`${andNotHidden(db, db`b.user_id`, viewer, { muted: true })} ${andTagsNotMuted(db, db`b.tags`, viewer, [])}`
  // Filtered after the newest are found: a filter within would have the planner look for them by date, through all.
  const newest = (query: string, most: number): Fragment => db`
    select b.id, b.tags, b.created_at
      from (select b.id, b.user_id, b.tags, b.created_at from bookmarks b
             where ${isVisible(db)} and ${isListed(db)} and b.effective_orientation = ${orientation} and b.video_id <> ${video_id}
               and b.search_vector @@ ${query}::text::tsquery
             order by b.created_at desc, b.id desc limit ${db.unsafe(String(most))}) b
     where true ${hiddenIds}`
  const byTags = tags.map((tag) => lexemeQuery('tag', tag)).join(' | ')
  const byPlace = [lexemeQuery('site', host), lexemeQuery('user', username.toLowerCase())].join(' | ')
  const tagged =
    tags.length === 0
      ? db`select null::bigint as id, null::text[] as tags, null::timestamptz as created_at where false`
      : newest(byTags, maxCompared)
  return db<ListingItem[]>`
    with tagged as (${tagged}), placed as (${newest(byPlace, viewer?.has_blocks_or_mutes ? maxCompared : limits.similarMax)}), found as (
      select id, created_at, max(shared) as shared
        from (select id, created_at, (select count(*) from unnest(tags) tag where tag = any (${tags}::text[])) as shared
                from tagged
              union all select id, created_at, 0 from placed) each
       group by id, created_at order by shared desc, created_at desc, id desc limit ${limits.similarMax})
    select ${cardColumns(db, viewer?.id ?? null)}
      from found f join bookmarks b on b.id = f.id join videos v on v.id = b.video_id
      join users u on u.id = b.user_id
     order by f.shared desc, f.created_at desc, f.id desc`
}
