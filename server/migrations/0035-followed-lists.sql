-- Collections, channels and tags that users follow, as they follow other users (docs/decisions/0056-followed-lists.md).
create table followed_lists (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  -- Exactly one of these.
  collection_id bigint references collections on delete cascade,
  channel_id    bigint references channels on delete cascade,
  tag           text check (length(tag) between 1 and 50),
  created_at    timestamptz not null default now(),
  check (num_nonnulls(collection_id, channel_id, tag) = 1),
  -- Whether a user follows a list. Also which lists the feed of a user merges.
  unique (user_id, collection_id),
  unique (user_id, channel_id),
  unique (user_id, tag)
);
-- The lists that a user follows, latest first.
create index followed_lists_newest on followed_lists (user_id, created_at desc, id desc);
-- The number of followers of a collection or channel; cascades from them.
create index followed_lists_collection on followed_lists (collection_id) where collection_id is not null;
create index followed_lists_channel on followed_lists (channel_id) where channel_id is not null;

-- A switch for the bell and one for mail. Users who turned off notifications of new followers get none of these either.
alter table users
  add column notify_on_collection_follow boolean not null default true,
  add column mail_on_collection_follow boolean not null default true;
update users
   set notify_on_collection_follow = notify_on_follow, mail_on_collection_follow = mail_on_follow
 where not (notify_on_follow and mail_on_follow);

-- Notifications of a new follower of a collection or channel.
alter table notifications
  add column collection_id bigint references collections on delete cascade,
  add column channel_id bigint references channels on delete cascade,
  drop constraint notifications_kind_check,
  drop constraint notifications_check,
  add constraint notifications_kind_check check (kind in
    ('follow', 'collection_follow', 'own_video_bookmarked', 'own_video_liked', 'reply', 'comment', 'mention',
     'report_decided', 'moderation')),
  add constraint notifications_check
    check ((video_id is null) = (kind in ('follow', 'collection_follow', 'report_decided', 'moderation'))),
  add constraint notifications_check4
    check (num_nonnulls(collection_id, channel_id) = (kind = 'collection_follow')::int);
drop index notifications_unread;
create unique index notifications_unread
  on notifications (user_id, kind, video_id, comment_id, decision_id, report_id, collection_id, channel_id)
  nulls not distinct where read_at is null;
-- Cascades from collections and channels.
create index notifications_collection on notifications (collection_id) where collection_id is not null;
create index notifications_channel on notifications (channel_id) where channel_id is not null;

-- Imports of followed collections, channels and tags.
alter table import_parts
  drop constraint import_parts_kind_check,
  add constraint import_parts_kind_check check (kind in (
    'profile', 'collections', 'bookmarks', 'timed_notes', 'likes', 'watched', 'blocked', 'following',
    'followed_collections', 'followed_tags', 'muted_users', 'muted_tags', 'smart_collections'));
