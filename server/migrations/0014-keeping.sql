-- What people do with what they keep: Watch Later, what they watched, the trash.
-- What follows from it: docs/decisions/0014-what-people-keep.md.

-- The one that 'Watch Later' fills. A mark and not a name: its owner may call it what they like.
alter table collections add column is_watch_later boolean not null default false;
-- One per person, whoever clicks twice at once; and which.
create unique index collections_watch_later on collections (user_id) where is_watch_later;

-- A video, not a bookmark: whoever keeps it in two places has watched both.
create table watched (
  user_id    bigint not null references users on delete cascade,
  video_id   bigint not null references videos on delete cascade,
  watched_at timestamptz not null default now(),
  primary key (user_id, video_id)
);
-- Cascades from videos.
create index watched_of_video on watched (video_id);

-- Somebody's trash, the latest first.
create index bookmarks_trash_of_user on bookmarks (user_id, deleted_at desc, id desc) where deleted_at is not null;
