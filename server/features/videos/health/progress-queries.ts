import type { VideoHealth } from '@reelmark/contract/video-health.ts'
import type { Db } from '../../../core/database/database.ts'
import { hasLead } from '../../../shared/visibility.ts'
import { silentChecksUntilPause } from './schedule.ts'

/** Late checks are counted up to this number. */
const maxCounted = 10_000
const maxHosts = 50

/** Counts the videos by the outcome of their last check, unless they were counted within the last minutes. */
export async function countProgress(db: Db, minutes = 10): Promise<void> {
  await db`
    with outcomes as materialized (
      select outcome, count(*)::int as videos,
             (count(*) filter (where checked_at > now() - interval '1 day'))::int as last_day,
             (count(*) filter (where checked_at > now() - interval '30 days'))::int as last_month
        from video_health group by outcome
    )
    insert into health_progress
      (counted_at, videos, checked_last_day, checked_last_month, never_checked, missing, outcomes)
    select now(), coalesce((select sum(videos) from outcomes), 0), coalesce((select sum(last_day) from outcomes), 0),
           coalesce((select sum(last_month) from outcomes), 0),
           coalesce((select sum(videos) from outcomes where outcome is null), 0),
           (select count(*) from videos where missing_since is not null),
           coalesce((select json_agg(json_build_object('outcome', outcome, 'videos', videos) order by videos desc, outcome)
                       from outcomes where outcome is not null), '[]')
     where not exists (select from health_progress where counted_at > now() - make_interval(mins => ${minutes}))
    on conflict (is_only_row) do update
       set (counted_at, videos, checked_last_day, checked_last_month, never_checked, missing, outcomes)
         = (excluded.counted_at, excluded.videos, excluded.checked_last_day, excluded.checked_last_month,
            excluded.never_checked, excluded.missing, excluded.outcomes)`
}

/** Returns the progress of the checks: what was counted last, and what is due now. */
export async function readProgress(db: Db): Promise<Omit<VideoHealth, 'is_on'>> {
  const [progress] = await db<[Omit<VideoHealth, 'is_on' | 'hosts'>]>`
    with due as materialized (
      -- The job needs up to some minutes for what has just become due.
      select late.next_check_at from health_hosts free cross join lateral (
        select h.next_check_at from video_health h
         where h.host = free.host and h.next_check_at < now() - interval '15 minutes' limit ${maxCounted}) late
       limit ${maxCounted}
    )
    select p.counted_at, coalesce(p.videos, 0) as videos, coalesce(p.checked_last_day, 0) as checked_last_day,
           coalesce(p.checked_last_month, 0) as checked_last_month, coalesce(p.never_checked, 0) as never_checked,
           (select count(*) from due)::int as due, (select min(next_check_at) from due) as due_since,
           coalesce(p.missing, 0) as missing, coalesce(p.outcomes, '[]') as outcomes
      from (select) nothing left join health_progress p on true`
  return { ...progress, hosts: await readHostProblems(db) }
}

function readHostProblems(db: Db): Promise<VideoHealth['hosts']> {
  return db<VideoHealth['hosts']>`
    select host, case when suspicious_since is not null then 'suspicious' else 'silent' end as problem, checked_at, next_check_at
      from health_hosts bad
     where (silent_checks >= ${silentChecksUntilPause} or suspicious_since is not null)
       and exists (select from video_health h join videos v on v.id = h.video_id where h.host = bad.host and ${hasLead(db)})
     order by checked_at desc nulls last, host limit ${maxHosts}`
}
