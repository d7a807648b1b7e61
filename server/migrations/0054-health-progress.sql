-- What moderators see of the link checks (docs/decisions/0076-video-health.md). Counting reads all of video_health, so a job does it.
create table health_progress (
  is_only_row boolean primary key default true check (is_only_row),
  counted_at timestamptz not null,
  videos integer not null,
  checked_last_day integer not null,
  checked_last_month integer not null,
  never_checked integer not null,
  missing integer not null,
  -- [{"outcome": "available", "videos": 7}, …], the most frequent first.
  outcomes json not null
);
