-- Exports with pictures, and positions in imports (docs/decisions/0072-pictures-history-and-uploads.md).

alter table exports
  -- The download is a zip file with the stored pictures of the exported bookmarks.
  add column with_pictures boolean not null default false,
  add column pictures_count integer not null default 0 check (pictures_count >= 0);

-- The pictures of an export in batches: the name of each in the zip file, and its media key.
create table export_pictures (
  export_id bigint not null references exports on delete cascade,
  -- The position of its first picture in the export, from 0.
  number    integer not null,
  pictures  json not null,
  primary key (export_id, number)
);

-- The lists of a file (importKinds).
alter table import_parts drop constraint import_parts_kind_check;
alter table import_parts add constraint import_parts_kind_check check (kind in (
  'collections', 'profile', 'bookmarks', 'timed_notes', 'likes', 'watched', 'playback_positions', 'blocked', 'following',
  'followed_collections', 'followed_tags', 'muted_users', 'muted_tags', 'smart_collections'));
