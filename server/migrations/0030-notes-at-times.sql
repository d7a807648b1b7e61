-- Notes at a time in a video (docs/decisions/0051-playing-lists-and-notes.md).

create table timed_notes (
  id           bigint generated always as identity primary key,
  bookmark_id  bigint not null references bookmarks on delete cascade,
  -- The author: the owner of the bookmark, or another user, whose notes are private.
  user_id      bigint not null references users on delete cascade,
  seconds      integer not null check (seconds between 0 and 8640000),
  text         text not null check (char_length(text) between 1 and 500),
  access       text not null check (access in ('public', 'private')),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);
-- The notes of a bookmark that a viewer sees, and deleting a bookmark.
create index timed_notes_of_bookmark on timed_notes (bookmark_id, user_id);
-- The export, and deleting an account.
create index timed_notes_of_user on timed_notes (user_id, created_at, id);

alter table import_parts drop constraint import_parts_kind_check;
alter table import_parts add constraint import_parts_kind_check check (kind in (
  'profile', 'collections', 'bookmarks', 'timed_notes', 'likes', 'watched', 'blocked', 'following', 'muted_users',
  'muted_tags', 'smart_collections'));
