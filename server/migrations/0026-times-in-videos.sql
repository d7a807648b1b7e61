-- Times in videos (docs/decisions/0047-times-in-videos.md).

-- Where the owner lets the video start, in seconds; null: at the beginning. It is no part of the video's identity.
alter table bookmarks add column start_seconds integer check (start_seconds between 1 and 8640000);

-- Where users stopped watching, private to them. Videos, not bookmarks, as in watched_videos.
create table playback_positions (
  user_id     bigint not null references users on delete cascade,
  video_id    bigint not null references videos on delete cascade,
  seconds     integer not null check (seconds between 1 and 8640000),
  updated_at  timestamptz not null default now(),
  primary key (user_id, video_id)
);
-- Deleting a video.
create index playback_positions_of_video on playback_positions (video_id);

-- While it is true, neither positions nor automatic watched marks are stored.
alter table users add column is_history_paused boolean not null default false;

-- The history, newest first.
create index watched_videos_by_time on watched_videos (user_id, watched_at desc, video_id desc);
