-- Collections and channels.

create table collections (
  id             bigint generated always as identity primary key,
  user_id        bigint not null references users on delete cascade,
  name           text not null check (length(name) between 1 and 100),
  description    text not null default '' check (length(description) <= 5000),
  access         text not null default 'public' check (access in ('public', 'private')),
  -- The collection that 'Watch Later' fills, whatever its owner calls it.
  is_watch_later boolean not null default false,
  -- The bookmark whose thumbnail is the cover, chosen by the owner; null: the newest with a thumbnail. Not a foreign
  -- key: a bookmark that left the collection is ignored when the cover is read and counts again when it returns, and a
  -- foreign key would lock the collection after the bookmark, against the order of locks (docs/decisions/0016-collection-covers.md).
  cover_bookmark_id bigint,
  position       integer not null default 0,
  created_at     timestamptz not null default now(),
  -- The target of bookmarks' foreign key: a bookmark and its collection have the same owner.
  unique (id, user_id)
);
-- A user's collections in their order.
create index collections_of_user on collections (user_id, position, id);
-- At most one Watch Later per user, also under concurrent requests; and finding it.
create unique index collections_watch_later on collections (user_id) where is_watch_later;

create table channels (
  id            bigint generated always as identity primary key,
  collection_id bigint not null references collections on delete cascade,
  name          text not null check (length(name) between 1 and 100),
  description   text not null default '' check (length(description) <= 5000),
  -- As in collections.
  cover_bookmark_id bigint,
  position      integer not null default 0,
  created_at    timestamptz not null default now(),
  -- The target of bookmarks' foreign key: a bookmark's channel is in its collection.
  unique (id, collection_id)
);
-- A collection's channels in their order.
create index channels_of_collection on channels (collection_id, position, id);

alter table users add foreign key (default_bookmark_collection) references collections on delete set null;
-- Cascade from collections.
create index users_default_collection on users (default_bookmark_collection)
  where default_bookmark_collection is not null;
