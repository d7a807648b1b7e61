-- Notifications. Several actors share one: 'ana and 12 others liked …' is one row, with a row per actor. New bookmarks of
-- followed users have no rows: they are read from bookmarks (docs/decisions/0014-notifications.md).

create table notifications (
  id         bigint generated always as identity primary key,
  -- The user who is notified.
  user_id    bigint not null references users on delete cascade,
  kind       text not null check (kind in
    ('follow', 'own_video_bookmarked', 'own_video_liked', 'reply', 'report_decided', 'moderation')),
  -- What it is about; of a reply also the comment that was replied to.
  video_id   bigint references videos on delete cascade,
  comment_id bigint references comments on delete cascade,
  decision_id bigint references moderation_decisions on delete cascade,
  report_id  bigint references reports on delete cascade,
  -- When the latest event was added to it.
  last_event_at timestamptz not null default now(),
  read_at    timestamptz,
  check ((video_id is null) = (kind in ('follow', 'report_decided', 'moderation'))),
  check ((comment_id is not null) = (kind = 'reply')),
  check ((decision_id is not null) = (kind = 'moderation')),
  check ((report_id is not null) = (kind = 'report_decided'))
);
-- One unread notification per kind and subject: further events are added to it. Also counts the unread.
create unique index notifications_unread
  on notifications (user_id, kind, video_id, comment_id, decision_id, report_id) nulls not distinct
  where read_at is null;
-- The list, newest first.
create index notifications_newest on notifications (user_id, last_event_at desc, id desc);
-- Whether the same event was notified and read before: it is not notified again.
create index notifications_read on notifications (user_id, kind, video_id) where read_at is not null;
-- The job that deletes old notifications.
create index notifications_old on notifications (last_event_at);
-- Cascades from videos, comments, decisions and reports; and who was notified of a decision.
create index notifications_video on notifications (video_id) where video_id is not null;
create index notifications_comment on notifications (comment_id) where comment_id is not null;
create index notifications_decision on notifications (decision_id, user_id) where decision_id is not null;
create index notifications_report on notifications (report_id) where report_id is not null;

-- The users whose actions a notification is about, each once.
create table notification_actors (
  notification_id bigint not null references notifications on delete cascade,
  actor_id        bigint not null references users on delete cascade,
  -- The actor's bookmark of the video.
  bookmark_id     bigint references bookmarks on delete cascade,
  -- The actor's latest reply.
  comment_id      bigint references comments on delete cascade,
  created_at      timestamptz not null default now(),
  primary key (notification_id, actor_id)
);
-- The latest three actors.
create index notification_actors_newest on notification_actors (notification_id, created_at desc, actor_id desc);
-- Cascades from users, bookmarks and comments.
create index notification_actors_actor on notification_actors (actor_id);
create index notification_actors_bookmark on notification_actors (bookmark_id) where bookmark_id is not null;
create index notification_actors_comment on notification_actors (comment_id) where comment_id is not null;
