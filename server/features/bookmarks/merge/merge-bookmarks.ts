/** Moves bookmarks to another video, and merges those that their owner then has twice in one destination. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Fragment, TransactionSql } from '../../../core/database/database.ts'
import { hasLead, isNotTrashed, isPublic } from '../../../shared/visibility.ts'
import { addMissingFacts } from '../copy-facts.ts'
import { lockVideos } from './request-merge.ts'

/** How many bookmarks a transaction moves. */
export const movedBatchSize = 200

/**
 * Locks the next bookmarks to move and those that they may be merged with, after their collections and both videos. Every bookmark has
 * copies of what leads its video. So the lead moves first if it will lead the survivor, and then the newest: the leads of both change
 * at most twice, and not with each transaction.
 * @param where which bookmarks `b` to move
 * @returns their ids, the public ones first; null if one of the videos does not exist
 */
export async function lockNextBookmarks(
  tx: TransactionSql,
  videoId: number,
  survivorId: number,
  where = tx`true`,
): Promise<number[] | null> {
  const rows = await tx<{ id: number }[]>`
    select b.id from bookmarks b
     where b.video_id = ${videoId} and ${where}
     order by ${isPublic(tx)} desc,
              b.id is not distinct from (
                select m.lead_bookmark_id from videos m, videos s
                 where m.id = ${videoId} and s.id = ${survivorId}
                   and (not ${hasLead(tx, 's')} or m.lead_bookmark_id < s.lead_bookmark_id)) desc,
              b.id desc
     limit ${movedBatchSize}`
  const ids = rows.map(({ id }) => id)
  return (await lockBookmarksToMove(tx, ids, videoId, survivorId)) ? ids : null
}

/** Locks bookmarks and those that they may be merged with, after their collections and both videos. Returns whether both exist. */
export async function lockBookmarksToMove(
  tx: TransactionSql,
  ids: readonly number[],
  videoId: number,
  survivorId: number,
): Promise<boolean> {
  const moved = [...ids]
  await tx`
    select from collections where id in (select collection_id from bookmarks where id = any (${moved}::bigint[]))
     order by id for no key update`
  if (!(await lockVideos(tx, videoId, survivorId))) return false
  await tx`
    select from bookmarks b
     where b.id = any (${moved}::bigint[])
        or (b.video_id = ${survivorId} and b.user_id in (select user_id from bookmarks where id = any (${moved}::bigint[])))
     order by id for no key update`
  return true
}

interface Pair {
  remaining_id: number
  loser_id: number
  /** Whether both have the same access and neither or both are held, so that the words of one may be shown with the other. */
  is_similar: boolean
}

/** Moves locked bookmarks to another video. Of two in one destination, one is merged into the other and goes to the trash. */
export async function moveBookmarks(
  tx: TransactionSql,
  ids: readonly number[],
  videoId: number,
  survivorId: number,
): Promise<void> {
  const pairs = await findPairs(tx, ids, videoId, survivorId)
  if (pairs.length > 0) await mergePairs(tx, pairs)
  // set_bookmark_media() withholds the title again if the survivor is link-only, too.
  await tx`
    update bookmarks
       set video_id = ${survivorId}, title = coalesce(withheld_title, title), withheld_title = null
     where id = any (${[...ids]}::bigint[]) and video_id = ${videoId}`
}

/** Returns the bookmarks that would be twice in one destination. Of two, the one that more people see stays, else the older one. */
async function findPairs(
  tx: TransactionSql,
  ids: readonly number[],
  videoId: number,
  survivorId: number,
): Promise<Pair[]> {
  const rank = (alias: string) =>
    tx`(case ${tx(alias)}.access when 'public' then 0 else 2 end + (${tx(alias)}.hold_reason is not null)::int, ${tx(alias)}.id)`
  return tx<Pair[]>`
    select case when is_first then m.id else s.id end as remaining_id, case when is_first then s.id else m.id end as loser_id,
           m.access = s.access and (m.hold_reason is null) = (s.hold_reason is null) as is_similar
      from bookmarks m
      join bookmarks s on s.video_id = ${survivorId} and s.user_id = m.user_id and s.collection_id = m.collection_id
                      and s.channel_id is not distinct from m.channel_id,
           lateral (select ${rank('m')} < ${rank('s')} as is_first) chosen
     where m.id = any (${[...ids]}::bigint[]) and m.video_id = ${videoId} and ${isNotTrashed(tx, 'm')} and ${isNotTrashed(tx, 's')}`
}

async function mergePairs(tx: TransactionSql, pairs: readonly Pair[]): Promise<void> {
  const named = tx`json_to_recordset(${JSON.stringify(pairs)}::text::json)
    p (remaining_id bigint, loser_id bigint, is_similar boolean)`
  await tx`
    update bookmarks b set deleted_at = now() from ${named} where b.id = p.loser_id`
  await mergeSharedWords(tx, named)
  await tx`
    update bookmarks k
       set private_note = ${joined(tx, tx`k.private_note`, tx`l.words`, limits.privateNoteMax)}
      from (select p.remaining_id, case when p.is_similar then b.private_note
                   else concat_ws(E'\n', b.title, nullif(b.description, ''), nullif(array_to_string(b.tags, ', '), ''),
                                  nullif(b.private_note, '')) end as words
              from ${named} join bookmarks b on b.id = p.loser_id) l
     where k.id = l.remaining_id`
  await moveReferences(tx, named)
}

/** Returns `own` with `other` below it, unless it contains that already or the text would become too long. */
function joined(tx: TransactionSql, own: Fragment, other: Fragment, max: number) {
  return tx`case when ${other} = '' or position(${other} in ${own}) > 0 then ${own}
    when ${own} = '' and length(${other}) <= ${max}::int then ${other}
    when length(${own}) + 2 + length(${other}) <= ${max}::int then ${own} || E'\n\n' || ${other} else ${own} end`
}

/** Adds to the bookmarks that stay what the others have and they do not, and gives them the earlier time. */
async function mergeSharedWords(tx: TransactionSql, named: Fragment): Promise<void> {
  await tx`
    update bookmarks k
       set description = ${joined(tx, tx`k.description`, tx`l.description`, limits.descriptionMax)},
           tags = array(select tag from unnest(k.tags || l.tags) with ordinality as listed (tag, position)
                         group by tag order by min(position) limit ${limits.tagsMax}),
           orientation = case k.orientation when 'sfw' then l.orientation else k.orientation end,
           created_at = least(k.created_at, l.created_at), start_seconds = coalesce(k.start_seconds, l.start_seconds),
           ${addMissingFacts(tx, 'k', 'l')},
           collection_order_key = coalesce(k.collection_order_key, l.collection_order_key),
           channel_order_key = coalesce(k.channel_order_key, l.channel_order_key)
      from ${named} join bookmarks l on l.id = p.loser_id
     where k.id = p.remaining_id and p.is_similar`
  // The row in the trash gives its picture away, because that of a bookmark that is not visible any more gets a new address.
  const moved = await tx<{ loser_id: number }[]>`
    update bookmarks k
       set thumbnail_source_url = l.thumbnail_source_url, thumbnail_key = l.thumbnail_key,
           thumbnail_large_key = l.thumbnail_large_key, thumbnail_hash = l.thumbnail_hash, thumbnail_state = l.thumbnail_state,
           thumbnail_is_uploaded = l.thumbnail_is_uploaded
      from ${named} join bookmarks l on l.id = p.loser_id
     where k.id = p.remaining_id and p.is_similar and l.thumbnail_key is not null
       and (k.thumbnail_key is null or l.thumbnail_is_uploaded and not k.thumbnail_is_uploaded)
    returning p.loser_id`
  await tx`
    update bookmarks
       set thumbnail_source_url = null, thumbnail_key = null, thumbnail_large_key = null, thumbnail_hash = null,
           thumbnail_state = 'none', thumbnail_is_uploaded = false
     where id = any (${moved.map(({ loser_id }) => loser_id)}::bigint[])`
}

/** Moves what refers to the bookmarks in the trash. Notes at times of a private bookmark stay private. */
async function moveReferences(tx: TransactionSql, named: Fragment): Promise<void> {
  await tx`
    delete from timed_notes n using ${named}, timed_notes same
     where n.bookmark_id = p.loser_id and same.bookmark_id = p.remaining_id
       and (same.user_id, same.seconds, same.text) = (n.user_id, n.seconds, n.text)`
  await tx`
    update timed_notes n set bookmark_id = p.remaining_id, access = case when p.is_similar then n.access else 'private' end
      from ${named} where n.bookmark_id = p.loser_id`
  for (const table of ['collections', 'channels']) {
    await tx`
      update ${tx(table)} c set cover_bookmark_id = p.remaining_id from ${named} where c.cover_bookmark_id = p.loser_id`
  }
  await tx`
    update profile_pins i set bookmark_id = p.remaining_id from ${named}
     where i.bookmark_id = p.loser_id
       and not exists (select from profile_pins same where same.bookmark_id = p.remaining_id)`
  await tx`
    update notification_actors a set bookmark_id = p.remaining_id from ${named} where a.bookmark_id = p.loser_id`
  // A report of a bookmark that is held remains about that one.
  await tx`
    update reports r set bookmark_id = p.remaining_id from ${named} where r.bookmark_id = p.loser_id and p.is_similar`
  await tx`
    update merged_bookmarks m set bookmark_id = p.remaining_id, is_for_same_viewers = m.is_for_same_viewers and p.is_similar
      from ${named} where m.bookmark_id = p.loser_id`
  // A bookmark that was restored from the trash may be merged again.
  await tx`
    insert into merged_bookmarks (id, bookmark_id, is_for_same_viewers)
    select p.loser_id, p.remaining_id, p.is_similar from ${named}
    on conflict (id) do update
       set bookmark_id = excluded.bookmark_id, is_for_same_viewers = excluded.is_for_same_viewers`
}
