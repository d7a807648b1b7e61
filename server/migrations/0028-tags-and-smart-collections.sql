-- Tags of a vault (docs/decisions/0049-tags-and-smart-collections.md).

-- The tags of each user's bookmarks, private ones included. Only that user may read them; the table tags counts what is
-- visible to everyone.
create table user_tags (
  user_id         bigint not null references users on delete cascade,
  name            text not null,
  -- The user's bookmarks with this tag that are not in the trash. Counted by bookmark_tags_changed().
  bookmarks_count integer not null check (bookmarks_count >= 0),
  primary key (user_id, name)
);
-- A user's tags, most used first.
create index user_tags_most_used on user_tags (user_id, bookmarks_count desc, name);

insert into user_tags (user_id, name, bookmarks_count)
select user_id, name, count(*) from bookmarks b, unnest(tags) name
 where deleted_at is null and exists (select from users where id = user_id)
 group by user_id, name;

-- Tags that a user replaced or deleted on all of their bookmarks. Deleted after 7 days.
create table tag_changes (
  id              bigint generated always as identity primary key,
  user_id         bigint not null references users on delete cascade,
  tags            text[] not null check (cardinality(tags) between 1 and 100),
  -- The tag that they were replaced by; null: they were deleted.
  replacement     text check (length(replacement) between 1 and 50),
  state           text not null default 'running' check (state in ('running', 'done', 'undoing', 'undone')),
  -- The bookmarks that had one of the tags, and those that the last run, of the change or of its undoing, has finished.
  bookmarks_count integer not null check (bookmarks_count > 0),
  finished_count  integer not null default 0 check (finished_count >= 0),
  created_at      timestamptz not null default now()
);
-- A user's changes, newest first.
create index tag_changes_of_user on tag_changes (user_id, id desc);
-- The job that deletes changes after 7 days.
create index tag_changes_created on tag_changes (created_at);

-- The bookmarks that a change changed, for undoing it.
create table tag_change_bookmarks (
  tag_change_id bigint not null references tag_changes on delete cascade,
  bookmark_id   bigint not null references bookmarks on delete cascade,
  tags_before   text[] not null,
  primary key (tag_change_id, bookmark_id)
);
-- Deleting a bookmark.
create index tag_change_bookmarks_of_bookmark on tag_change_bookmarks (bookmark_id);

-- Smart collections: searches that users stored. Their bookmarks are what the search finds when it is read.
create table smart_collections (
  id          bigint generated always as identity primary key,
  user_id     bigint not null references users on delete cascade,
  name        text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 5000),
  access      text not null check (access in ('public', 'private')),
  -- A SmartQuery (contract/smart-collections.ts).
  query       jsonb not null check (jsonb_typeof(query) = 'object'),
  -- Whether the query depends on what only its owner knows, for example watched marks. Then it stays private.
  is_personal boolean not null,
  created_at  timestamptz not null default now(),
  -- When it was moved to the trash; deleted for good 30 days later.
  deleted_at  timestamptz,
  constraint smart_collections_personal_is_private check (access = 'private' or not is_personal)
);
-- A user's smart collections, the oldest first.
create index smart_collections_of_user on smart_collections (user_id, created_at, id) where deleted_at is null;
-- A user's deleted smart collections, latest first.
create index smart_collections_trash_of_user on smart_collections (user_id, deleted_at desc, id desc)
  where deleted_at is not null;
-- The job that deletes them after 30 days.
create index smart_collections_trash on smart_collections (deleted_at) where deleted_at is not null;

-- Imports read smart collections.
alter table import_parts
  drop constraint import_parts_kind_check,
  add constraint import_parts_kind_check check (kind in (
    'profile', 'collections', 'bookmarks', 'likes', 'watched', 'blocked', 'following', 'muted_users', 'muted_tags',
    'smart_collections'));
