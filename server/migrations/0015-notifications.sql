-- Notifications that several people share: 'ana and 12 others liked …' is one row, and each of them another. Nothing
-- wrote any before. See docs/decisions/0012-notifications.md.

drop table notifications;

create table notifications (
  id         bigint generated always as identity primary key,
  -- Who is told.
  user_id    bigint not null references users on delete cascade,
  -- New bookmarks of the people one follows have no rows: they are read where they are.
  kind       text not null check (kind in ('follow', 'own_video_bookmarked', 'own_video_liked', 'reply')),
  -- What it is about: a video; of a reply also the comment that was replied to; of a follow, oneself.
  video_id   bigint references videos on delete cascade,
  comment_id bigint references comments on delete cascade,
  -- Of the latest of what it tells.
  newest_at  timestamptz not null default now(),
  read_at    timestamptz,
  check ((video_id is null) = (kind = 'follow')),
  check ((comment_id is not null) = (kind = 'reply'))
);
-- One of a kind about one thing, until it is read. Also the unread ones, to count.
create unique index notifications_unread on notifications (user_id, kind, video_id, comment_id)
  nulls not distinct where read_at is null;
-- The list, newest first.
create index notifications_newest on notifications (user_id, newest_at desc, id desc);
-- The daily removal.
create index notifications_old on notifications (newest_at);
-- Cascades.
create index notifications_video on notifications (video_id) where video_id is not null;
create index notifications_comment on notifications (comment_id) where comment_id is not null;

-- Who did it: each once, however often, while it is unread.
create table notification_actors (
  notification_id bigint not null references notifications on delete cascade,
  actor_id        bigint not null references users on delete cascade,
  -- Theirs, by which they saved the video.
  bookmark_id     bigint references bookmarks on delete cascade,
  -- Their reply, the latest.
  comment_id      bigint references comments on delete cascade,
  created_at      timestamptz not null default now(),
  primary key (notification_id, actor_id)
);
-- The latest three.
create index notification_actors_newest on notification_actors (notification_id, created_at desc, actor_id desc);
-- Cascades.
create index notification_actors_actor on notification_actors (actor_id);
create index notification_actors_bookmark on notification_actors (bookmark_id) where bookmark_id is not null;
create index notification_actors_comment on notification_actors (comment_id) where comment_id is not null;

-- Up to when somebody looked at what this one saved; and at what all whom they follow saved.
alter table follows add column seen_at timestamptz;
alter table users add column followed_seen_at timestamptz not null default now();

-- Mails that tell what is unread.
alter table users
  add column notify_by_email text not null default 'off' check (notify_by_email in ('off', 'daily', 'weekly')),
  -- When the last was due, sent or not.
  add column digest_at timestamptz;
-- The daily job.
create index users_digest on users (id) where notify_by_email <> 'off';
