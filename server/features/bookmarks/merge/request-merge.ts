/** Requests that a video is merged into another one, and makes the rulings about either apply to both. */
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/**
 * Requests that everything of a video is moved to another one, which may itself be about to be merged. From now on, both have
 * the stricter status and rulings of the two, so that nothing becomes visible while the job moves.
 * @returns false if one of them does not exist, or they are being merged already
 */
export async function requestMerge(tx: TransactionSql, videoId: number, intoId: number): Promise<boolean> {
  const requested = await tx`
    insert into video_merges (video_id, survivor_id)
    select v.id, s.id from videos v, videos s
     where v.id = ${videoId} and v.id <> s.id
       and s.id = coalesce((select m.survivor_id from video_merges m where m.video_id = ${intoId}), ${intoId})
    on conflict do nothing`
  if (requested.count === 0) return false
  const [merge] = await tx<[{ survivor_id: number }]>`
    select survivor_id from video_merges where video_id = ${videoId}`
  await lockVideos(tx, videoId, merge.survivor_id)
  await shareRulings(tx, videoId, merge.survivor_id)
  await moveModeration(tx, videoId, merge.survivor_id)
  return true
}

/**
 * Brings the rulings about two locked videos in line. What was reported or decided about the merged one since applies to both;
 * otherwise it follows the survivor, whose rulings may have been undone.
 */
export async function syncRulings(tx: Db, videoId: number, survivorId: number): Promise<void> {
  const moderated = await tx`
    select from reports where video_id = ${videoId} union all select from moderation_decisions where video_id = ${videoId}
     limit 1`
  if (moderated.count > 0) {
    await shareRulings(tx, videoId, survivorId)
    await moveModeration(tx, videoId, survivorId)
    return
  }
  await tx`
    update videos v
       set status = s.status, is_link_only = s.is_link_only, is_uploader_removed = s.is_uploader_removed,
           orientation_ruling = s.orientation_ruling
      from videos s
     where v.id = ${videoId} and s.id = ${survivorId}
       and (v.status, v.is_link_only, v.is_uploader_removed, v.orientation_ruling)
           is distinct from (s.status, s.is_link_only, s.is_uploader_removed, s.orientation_ruling)`
}

/** Locks both videos in the order of all transactions, and returns whether both exist. */
export async function lockVideos(tx: Db, videoId: number, survivorId: number): Promise<boolean> {
  const locked = await tx`
    select from videos where id in (${videoId}, ${survivorId}) order by id for no key update`
  return locked.count === 2
}

/** Makes the stricter status and rulings of two locked videos apply to both. */
async function shareRulings(tx: Db, videoId: number, survivorId: number): Promise<void> {
  const both = tx`id in (${videoId}, ${survivorId})`
  await tx`
    insert into refused_links (canonical_hash)
    select v.canonical_hash from videos v
     where ${both} and exists (select from refused_links r join videos o on o.canonical_hash = r.canonical_hash
                                where o.id in (${videoId}, ${survivorId}))
    on conflict do nothing`
  await tx`
    with strictest as (
      select bool_or(status = 'removed' or exists (select from refused_links r where r.canonical_hash = v.canonical_hash)) as is_removed,
             bool_or(status = 'hidden') as is_hidden, bool_or(is_link_only) as is_link_only,
             bool_or(is_uploader_removed) as is_uploader_removed,
             -- An adult orientation, else the survivor's.
             (array_agg(orientation_ruling order by orientation_ruling = 'sfw', id = ${survivorId} desc)
                filter (where orientation_ruling is not null))[1] as orientation_ruling
        from videos v where ${both}
    ), ruling as (
      select case when is_removed then 'removed' when is_hidden then 'hidden' else 'visible' end as status, is_link_only,
             is_uploader_removed, orientation_ruling
        from strictest
    )
    update videos v
       set status = r.status, is_link_only = r.is_link_only, is_uploader_removed = r.is_uploader_removed,
           orientation_ruling = r.orientation_ruling, updated_at = now()
      from ruling r
     where v.id in (${videoId}, ${survivorId})
       and (v.status, v.is_link_only, v.is_uploader_removed, v.orientation_ruling)
           is distinct from (r.status, r.is_link_only, r.is_uploader_removed, r.orientation_ruling)`
}

/**
 * Moves reports and decisions. A user who reported both keeps one open report, with the notes of both: that for the reason which
 * cannot be undone, else the one that is no proposal of a link, else the earlier one.
 */
async function moveModeration(tx: Db, videoId: number, survivorId: number): Promise<void> {
  await tx`
    with pairs as (
      select moved.id as moved_id, moved.report_type as moved_type, moved.notes as moved_notes, moved.did_hide as moved_did_hide,
             stored.id as stored_id
        from reports moved
        join reports stored on stored.reporter_id = moved.reporter_id and stored.target_kind = 'video'
                           and stored.target_id = ${survivorId} and stored.status = 'open'
       where moved.target_kind = 'video' and moved.target_id = ${videoId} and moved.status = 'open'
    ), joined as (
      update reports r
         set report_type = case when moved_type in ('minors', 'non_consensual') and r.report_type <> 'minors'
                                  or r.report_type = 'replace_link'
                                then moved_type else r.report_type end,
             notes = case when length(r.notes) + length(moved_notes) < 1999 and moved_notes <> r.notes
                          then btrim(r.notes || E'\n\n' || moved_notes, E'\n') else r.notes end,
             did_hide = r.did_hide or moved_did_hide
        from pairs where r.id = stored_id
    )
    delete from reports where id in (select moved_id from pairs)`
  await tx`
    update reports set video_id = ${survivorId}, target_id = case target_kind when 'video' then ${survivorId} else target_id end
     where video_id = ${videoId}`
  await tx`
    update moderation_decisions
       set video_id = ${survivorId}, target_id = case target_kind when 'video' then ${survivorId} else target_id end
     where video_id = ${videoId}`
  await tx`delete from moderation_claims where target_kind = 'video' and target_id = ${videoId}`
}
