import type { VideoHealth } from '@reelmark/contract/video-health.ts'
import type { Db } from '../../../core/database/database.ts'
import { hasLead } from '../../../shared/visibility.ts'
import { silentChecksUntilPause } from './schedule.ts'

/** Late checks are counted up to this number. */
const maxCounted = 10_000
const maxHosts = 50

/** Returns the progress of the checks. */
export async function readProgress(db: Db): Promise<Omit<VideoHealth, 'is_on'>> {
  const [progress] = await db<[Omit<VideoHealth, 'is_on' | 'hosts'>]>`
    with outcomes as materialized (
      select outcome, count(*)::int as videos,
             (count(*) filter (where checked_at > now() - interval '1 day'))::int as last_day,
             (count(*) filter (where checked_at > now() - interval '30 days'))::int as last_month
        from video_health group by outcome
    ), due as materialized (
      -- The job needs up to some minutes for what has just become due.
      select late.next_check_at from health_hosts free cross join lateral (
        select h.next_check_at from video_health h
         where h.host = free.host and h.next_check_at < now() - interval '15 minutes' limit ${maxCounted}) late
       limit ${maxCounted}
    )
    select coalesce((select sum(videos) from outcomes), 0)::int as videos,
           coalesce((select sum(last_day) from outcomes), 0)::int as checked_last_day,
           coalesce((select sum(last_month) from outcomes), 0)::int as checked_last_month,
           coalesce((select sum(videos) from outcomes where outcome is null), 0)::int as never_checked,
           (select count(*) from due)::int as due, (select min(next_check_at) from due) as due_since,
           (select count(*) from videos where missing_since is not null)::int as missing,
           coalesce((select json_agg(json_build_object('outcome', outcome, 'videos', videos) order by videos desc, outcome)
                       from outcomes where outcome is not null), '[]') as outcomes`
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
