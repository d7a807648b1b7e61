/**
 * Moves the bookmarks of a video that is gone to the link that was agreed on, in small transactions, and back if that was undone or an
 * owner declines it (docs/decisions/0090-replaced-links.md). What is left to move follows from the rows, so that an interrupted run
 * continues.
 */
import type { Viewer } from '../../../core/auth/session.ts'
import type { Sql, TransactionSql } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { withTransaction } from '../../../core/database/transaction.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { declineLinkUntil } from '../../../shared/missing-videos.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { hasLead, isNotRemoved, isNotTrashed, isShownVideo } from '../../../shared/visibility.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { notifyLinkReplaced } from '../../notifications/public-api.ts'
import type { Facts } from '../facts.ts'
import {
  lockBookmarksToMove,
  lockNextBookmarks,
  moveBookmarks,
  movedBatchSize,
} from '../merge/merge-bookmarks.ts'
import { moveRows } from '../merge/merge-videos.ts'
import { upsertSurvivor } from './proposals.ts'

/** Rows that a transaction deletes when a replacement ends: one statement would time out for a video that many users saved. */
const forgottenBatchSize = 1000

interface Replacement {
  id: number
  video_id: number
  survivor_id: number | null
  source_url: string
  facts: Facts
  /** What is to be done next. */
  work: 'move' | 'move back' | 'end'
}

interface StartedReplacement extends Replacement {
  survivor_id: number
}

/**
 * Works on the replacements that were agreed on. While the survivor is under review, its replacement waits.
 * @param seconds when to begin no further transaction
 * @throws the first error, after the other replacements were continued
 */
export async function moveReplaced(
  deps: { db: Sql; jobs: Jobs },
  { seconds }: { seconds: number },
): Promise<void> {
  const { db } = deps
  const end = performance.now() + seconds * 1000
  const isOver = db`${declineLinkUntil(db)} < now()`
  let last = 0
  let failure: unknown = null
  for (;;) {
    const [next] = await db<Replacement[]>`
      select l.id, l.video_id, l.survivor_id, l.source_url, l.facts,
             case when l.undone_at is not null then 'move back' when ${isOver} then 'end' else 'move' end as work
        from link_replacements l left join videos s on s.id = l.survivor_id
       where l.id > ${last} and l.agreed_at is not null
         and (l.undone_at is not null or ${isOver} or l.moved_at is null and (s.id is null or ${isShownVideo(db, 's')}))
       order by l.id limit 1`
    if (next === undefined || performance.now() >= end) break
    last = next.id
    try {
      let isDone = false
      while (!isDone && performance.now() < end) {
        isDone = await withTransaction(db, (tx) => continueWork(tx, deps, next))
      }
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== null) throw failure
}

/** Runs one transaction. Returns whether nothing is left to do now. */
async function continueWork(
  tx: TransactionSql,
  { db, jobs }: { db: Sql; jobs: Jobs },
  next: Replacement,
): Promise<boolean> {
  const started = next.survivor_id === null ? null : { ...next, survivor_id: next.survivor_id }
  if (next.work !== 'move' && started === null) return deleteReplacement(tx, next)
  if (started === null) {
    next.survivor_id = await start(tx, { db, jobs }, next)
    return next.survivor_id === null
  }
  if (next.work === 'move') return moveNext(tx, started)
  return next.work === 'end' ? finish(tx, started) : moveBack(tx, started)
}

/** Finds or creates the survivor. A link that is refused by now ends the replacement. */
async function start(
  tx: TransactionSql,
  { db, jobs }: { db: Sql; jobs: Jobs },
  { id, source_url, facts }: Replacement,
): Promise<number | null> {
  const saved = await upsertSurvivor(tx, await currentRules(db, tx), { link: source_url, facts })
  if (saved === null) {
    await tx`update link_replacements set undone_at = now() where id = ${id}`
    return null
  }
  if (saved.wants_picture) await jobs.send(tx, fetchThumbnailJob, { video_id: saved.id })
  await tx`update link_replacements set survivor_id = ${saved.id} where id = ${id}`
  return saved.id
}

/**
 * Moves the next bookmarks and notifies their owners. Left alone are bookmarks that a rule holds or that are in the trash, `sfw` ones if the
 * link is of a site for adults, and those of users who have the survivor already.
 */
async function moveNext(
  tx: TransactionSql,
  { id, video_id, survivor_id, source_url }: StartedReplacement,
): Promise<boolean> {
  const isMoved = tx`select from replaced_bookmarks r where r.replacement_id = ${id} and r.bookmark_id`
  const ids = await lockNextBookmarks(
    tx,
    video_id,
    survivor_id,
    tx`${isNotTrashed(tx)} and b.hold_reason is null and not (${isAdultLink(source_url)} and b.orientation = 'sfw')
       and not exists (${isMoved} = b.id)
       and not exists (select from bookmarks own
                        where own.user_id = b.user_id and own.video_id = ${survivor_id} and ${isNotTrashed(tx, 'own')}
                          and not exists (${isMoved} = own.id))`,
  )
  if (ids === null) return true
  await tx`
    insert into replaced_bookmarks (bookmark_id, replacement_id, embed_url, start_seconds, uploader_name, uploader_url)
    select b.id, ${id}, b.embed_url, b.start_seconds, b.uploader_name, b.uploader_url
      from bookmarks b where b.id = any (${ids}::bigint[]) and b.video_id = ${video_id}
    on conflict (bookmark_id) do update
       set replacement_id = excluded.replacement_id, embed_url = excluded.embed_url, start_seconds = excluded.start_seconds,
           uploader_name = excluded.uploader_name, uploader_url = excluded.uploader_url, declined_at = null`
  // These belong to the old link.
  const owners = await tx<{ user_id: number }[]>`
    update bookmarks set embed_url = null, start_seconds = null, uploader_name = null, uploader_url = null, updated_at = now()
     where id = any (${ids}::bigint[]) and video_id = ${video_id} returning user_id`
  await moveBookmarks(tx, ids, video_id, survivor_id)
  await notifyLinkReplaced(tx, survivor_id, [...new Set(owners.map(({ user_id }) => user_id))])
  if (ids.length === movedBatchSize) return false
  await tx`update link_replacements set moved_at = now() where id = ${id}`
  return true
}

/** Moves the next bookmarks back after a moderator undid the replacement, and deletes it when none is left. */
async function moveBack(tx: TransactionSql, replacement: StartedReplacement): Promise<boolean> {
  const rows = await tx<{ bookmark_id: number }[]>`
    select r.bookmark_id from replaced_bookmarks r
     where r.replacement_id = ${replacement.id} and r.declined_at is null
     order by r.bookmark_id desc limit ${movedBatchSize}`
  const ids = rows.map(({ bookmark_id }) => bookmark_id)
  if (ids.length === 0) return deleteReplacement(tx, replacement)
  await returnBookmarks(tx, replacement, ids)
  await tx`delete from replaced_bookmarks where bookmark_id = any (${ids}::bigint[])`
  return false
}

/** Moves bookmarks that are still where they were moved to back, with what belonged to the old link. */
async function returnBookmarks(
  tx: TransactionSql,
  { id, video_id, survivor_id }: Pick<StartedReplacement, 'id' | 'video_id' | 'survivor_id'>,
  ids: readonly number[],
): Promise<void> {
  await lockBookmarksToMove(tx, ids, survivor_id, video_id)
  await tx`
    update bookmarks b
       set embed_url = r.embed_url, start_seconds = r.start_seconds, uploader_name = r.uploader_name,
           uploader_url = r.uploader_url, updated_at = now()
      from replaced_bookmarks r
     where b.id = any (${[...ids]}::bigint[]) and b.video_id = ${survivor_id} and r.bookmark_id = b.id
       and r.replacement_id = ${id}`
  await moveBookmarks(tx, ids, survivor_id, video_id)
  await tx`insert into removal_candidates (video_id) values (${survivor_id})`
}

/**
 * After the time to decline: moves likes, comments and marks to the survivor if no bookmark of the old video is public. Whether a
 * private one is left must not show.
 */
async function finish(tx: TransactionSql, replacement: StartedReplacement): Promise<boolean> {
  const { video_id, survivor_id } = replacement
  const [moves] = await tx`
    select from videos v, videos s
     where v.id = ${video_id} and s.id = ${survivor_id} and not ${hasLead(tx)} and ${isShownVideo(tx)}
       and ${hasLead(tx, 's')} and ${isShownVideo(tx, 's')}`
  if (moves !== undefined && (await moveRows(tx, video_id, survivor_id))) return false
  return deleteReplacement(tx, replacement)
}

/** Deletes a replacement, and before that its bookmarks' old values in batches. Returns whether it is deleted. */
async function deleteReplacement(
  tx: TransactionSql,
  { id, video_id, survivor_id }: Replacement,
): Promise<boolean> {
  const forgotten = await tx`
    delete from replaced_bookmarks
     where replacement_id = ${id}
       and bookmark_id in (select bookmark_id from replaced_bookmarks where replacement_id = ${id}
                            order by bookmark_id limit ${forgottenBatchSize})`
  if (forgotten.count === forgottenBatchSize) return false
  await tx`delete from link_replacements where id = ${id}`
  const unused = survivor_id === null ? [video_id] : [video_id, survivor_id]
  await tx`insert into removal_candidates (video_id) select unnest(${unused}::bigint[])`
  return true
}

/**
 * Moves a bookmark of the viewer back to the link that was replaced for everyone. It stays there if the survivor is hidden or removed,
 * so that a harmful link can be left.
 * @returns the id of the bookmark that remains
 * @throws ApiError('not-found') unless its link was replaced and can be returned to
 */
export async function declineLink(tx: TransactionSql, viewer: Viewer, bookmarkId: number): Promise<number> {
  const [replacement] = await tx<StartedReplacement[]>`
    select l.id, l.video_id, l.survivor_id
      from replaced_bookmarks r
      join link_replacements l on l.id = r.replacement_id
      join bookmarks b on b.id = r.bookmark_id and b.video_id = l.survivor_id
      join videos v on v.id = l.video_id
     where r.bookmark_id = ${bookmarkId} and b.user_id = ${viewer.id} and ${isNotTrashed(tx)} and ${isNotRemoved(tx)}
       and r.declined_at is null and ${declineLinkUntil(tx)} > now()`
  if (replacement === undefined) throw new ApiError('not-found')
  await returnBookmarks(tx, replacement, [bookmarkId])
  // The job, or another request, may have been first.
  const declined = await tx`
    update replaced_bookmarks set declined_at = now()
     where bookmark_id = ${bookmarkId} and replacement_id = ${replacement.id} and declined_at is null`
  if (declined.count === 0) throw new ApiError('not-found')
  const [merged] = await tx<{ bookmark_id: number }[]>`
    select m.bookmark_id from merged_bookmarks m join bookmarks b on b.id = m.id and not ${isNotTrashed(tx)} where m.id = ${bookmarkId}`
  return merged?.bookmark_id ?? bookmarkId
}
