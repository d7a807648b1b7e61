/** Queries of the checks whether videos are available: what is due, and what a check found. */
import type { Db, Sql } from '../../../core/database/database.ts'
import { isNotRemoved } from '../../../shared/visibility.ts'
import type { Outcome } from './outcome.ts'
import {
  applyCheck,
  applyToHost,
  type HealthState,
  type HostState,
  isSuspicious,
  pauseMinutes,
} from './schedule.ts'

export interface DueVideo {
  video_id: number
  host: string
  source_url: string
  lacks_uploader: boolean
}

/** After this time, a claimed video whose check was not stored is due again: the process ended. */
const claimMinutes = 10

/**
 * Claims videos whose check is due: at most `perHost` of each host and `limit` in total. Other processes get other videos, and
 * none of the same host for a minute. A removed video is not checked.
 */
export async function claimDueVideos(
  db: Sql,
  { perHost, limit }: { perHost: number; limit: number },
): Promise<DueVideo[]> {
  return db.begin(async (tx) => {
    await tx`
      insert into health_hosts (host)
      -- The hosts, one lookup in the index for each.
      with recursive hosts as (
        (select host, next_check_at from video_health order by host, next_check_at limit 1)
        union all
        select next.* from hosts cross join lateral (
          select host, next_check_at from video_health h where h.host > hosts.host order by h.host, h.next_check_at limit 1) next
      )
      select host from hosts where next_check_at <= now() on conflict do nothing`
    return tx<DueVideo[]>`
      with free as materialized (
        select host from health_hosts free
         where next_check_at <= now()
           and exists (select from video_health h where h.host = free.host and h.next_check_at <= now())
         order by next_check_at limit ${limit} for update skip locked
      ), due as materialized (
        select due.* from free cross join lateral (
          select h.video_id, h.host from video_health h
           where h.host = free.host and h.next_check_at <= now()
           order by h.next_check_at limit ${perHost} for update skip locked) due
         limit ${limit}
      ), claimed as (
        update video_health h
           set next_check_at = now() + case when ${isNotRemoved(tx)}
                                       then ${claimMinutes}::int * interval '1 minute' else interval '30 days' end
          from due join videos v on v.id = due.video_id where h.video_id = due.video_id
      ), paused as (
        update health_hosts set next_check_at = now() + interval '1 minute' where host in (select host from due)
      )
      select due.video_id, due.host, v.source_url, v.uploader_name is null as lacks_uploader
        from due join videos v on v.id = due.video_id
       where ${isNotRemoved(tx)}`
  })
}

/** Deletes what is known about hosts of which no video is saved any more. */
export async function removeUnusedHosts(db: Db): Promise<void> {
  await db`delete from health_hosts unused where not exists (select from video_health h where h.host = unused.host)`
}

/**
 * Stores what the check of a video found, unless a moderator changed its link meanwhile. Returns whether the video became gone or available again.
 * @param now the time of the check
 */
export function storeCheck(
  db: Sql,
  { video_id, host, source_url }: Omit<DueVideo, 'lacks_uploader'>,
  found: Outcome,
  now = new Date(),
): Promise<boolean> {
  return db.begin(async (tx) => {
    // In the order of all transactions: the video before what belongs to it.
    const [video] = await tx<{ missing_since: Date | null }[]>`
      select missing_since from videos where id = ${video_id} and source_url = ${source_url} for no key update`
    const [health] = await tx<Omit<HealthState, 'missing_since'>[]>`
      select outcome, failed_days, failed_since, failed_at, down_since, viewed_at, created_at
        from video_health where video_id = ${video_id} for update`
    if (video === undefined || health === undefined) return false
    const [hostState] = await tx<HostState[]>`
      select silent_checks, surprise_share, suspicious_since from health_hosts where host = ${host} for update`
    const hostBefore = hostState ?? { silent_checks: 0, surprise_share: 0, suspicious_since: null }
    const before = { ...health, ...video }
    const isHostSuspicious = isSuspicious(hostBefore, now)
    const after = applyCheck(before, found, now, { isHostSuspicious, random: Math.random() })
    await storeHealth(tx, video_id, after, now)
    await storeHost(tx, host, applyToHost(hostBefore, before, found, now), now)
    return storeMissing(tx, video_id, before, after, now)
  })
}

async function storeHealth(
  tx: Db,
  videoId: number,
  after: ReturnType<typeof applyCheck>,
  now: Date,
): Promise<void> {
  await tx`
    update video_health
       set outcome = ${after.outcome}, checked_at = ${now}, failed_days = ${after.failed_days},
           failed_since = ${after.failed_since}, failed_at = ${after.failed_at}, down_since = ${after.down_since},
           failed_bookmark_ids = case
             when ${after.failed_days}::int = 0 then '{}'
             when ${after.failed_at === now} then
               (failed_bookmark_ids || (select coalesce(max(id), 0) from bookmarks))[greatest(cardinality(failed_bookmark_ids) - 1, 1):]
             else failed_bookmark_ids end,
           next_check_at = ${after.next_check_at}
     where video_id = ${videoId}`
}

async function storeHost(tx: Db, host: string, state: HostState, now: Date): Promise<void> {
  await tx`
    update health_hosts
       set silent_checks = ${state.silent_checks}, surprise_share = ${state.surprise_share},
           suspicious_since = ${state.suspicious_since}, checked_at = ${now},
           next_check_at = greatest(next_check_at, ${now}::timestamptz + ${pauseMinutes(state)}::int * interval '1 minute')
     where host = ${host}`
}

/**
 * Copies to the video whether it is gone. Those who saved it since learn it after failures on three days, as with a video that
 * nobody had saved, so that the time does not tell them that it was saved before. Returns whether the video became gone or
 * available again.
 */
async function storeMissing(
  tx: Db,
  videoId: number,
  before: Pick<HealthState, 'missing_since'>,
  after: Pick<ReturnType<typeof applyCheck>, 'missing_since' | 'failed_at'>,
  now: Date,
): Promise<boolean> {
  if (after.missing_since === null) {
    if (before.missing_since === null) return false
    await tx`
      update videos set missing_since = null, missing_found_at = null, missing_since_bookmark_id = null, missing_confirmed_bookmark_id = null
       where id = ${videoId}`
    return true
  }
  if (after.failed_at !== now) return false
  await tx`
    update videos v
       set missing_since = ${after.missing_since}, missing_found_at = coalesce(v.missing_found_at, now()),
           missing_since_bookmark_id = coalesce(v.missing_since_bookmark_id, h.failed_bookmark_ids[1]),
           missing_confirmed_bookmark_id = h.failed_bookmark_ids[1]
      from video_health h where v.id = ${videoId} and h.video_id = v.id`
  await tx`
    update video_health h set next_check_at = least(next_check_at, ${now}::timestamptz + interval '1 day')
     where video_id = ${videoId}
       and exists (select from bookmarks b where b.video_id = h.video_id and b.id > h.failed_bookmark_ids[1])`
  return before.missing_since === null
}
