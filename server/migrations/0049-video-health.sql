-- Whether videos are still available at their hosts (docs/decisions/0076-video-health.md).

-- Set by the job check-videos when a video is gone.
alter table videos
  add column missing_since timestamptz,
  -- When the third day with a failure made it count as gone, for digests.
  add column missing_found_at timestamptz,
  -- The highest id of a bookmark when the first check failed, and when the first of the last three did. A bookmark with a higher
  -- id was saved later: its owner must not learn from this video that it was saved before.
  add column missing_since_bookmark_id bigint,
  add column missing_confirmed_bookmark_id bigint,
  add constraint videos_missing_is_complete
    check (num_nulls(missing_since, missing_found_at, missing_since_bookmark_id, missing_confirmed_bookmark_id) in (0, 4));

-- is:gone
create index videos_missing on videos (id) include (lead_bookmark_id, missing_confirmed_bookmark_id)
  where missing_since is not null;
-- Digests.
create index videos_missing_by_time on videos (missing_found_at) where missing_since is not null;

-- The last check of each video and the time of the next one. A table of its own, because each check updates its row.
create table video_health (
  video_id bigint primary key references videos on delete cascade,
  -- Copied from the video, because hosts are checked independently of each other.
  host text not null,
  -- Null: not checked yet.
  outcome text check (outcome in ('available', 'region-blocked', 'age-restricted', 'login-required', 'private', 'missing',
                                  'unclear', 'down')),
  checked_at timestamptz,
  -- Different days with a failure since the video was last available, up to three.
  failed_days smallint not null default 0 check (failed_days between 0 and 3),
  failed_since timestamptz,
  failed_at timestamptz,
  -- The highest id of a bookmark on each of these days; the last day comes last.
  failed_bookmark_ids bigint[] not null default '{}',
  down_since timestamptz,
  -- When it was last opened or played, on any bookmark's page.
  viewed_at timestamptz,
  created_at timestamptz not null default now(),
  next_check_at timestamptz not null,
  constraint video_health_failures_are_complete
    check (num_nonnulls(failed_since, failed_at) = case when failed_days = 0 then 0 else 2 end
           and cardinality(failed_bookmark_ids) = failed_days)
) with (fillfactor = 80);
-- What is due at each host.
create index video_health_due on video_health (host, next_check_at);
-- The numbers that moderators see.
create index video_health_outcomes on video_health (outcome, checked_at);

-- How each host responds.
create table health_hosts (
  host text primary key,
  next_check_at timestamptz not null default now(),
  silent_checks smallint not null default 0 check (silent_checks >= 0),
  surprise_share real not null default 0 check (surprise_share between 0 and 1),
  suspicious_since timestamptz,
  checked_at timestamptz
);

-- Videos that exist are checked within the next 30 days.
insert into video_health (video_id, host, created_at, next_check_at)
select id, host, created_at, now() + random() * interval '30 days' from videos;
