-- Exports with pictures, positions in imports, and uploads in chunks (docs/decisions/0072-pictures-history-and-uploads.md).

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

-- The file that a user is uploading, at most one, so that unfinished uploads of a user take the space of one file.
create table uploads (
  id           bigint generated always as identity primary key,
  user_id      bigint not null unique references users on delete cascade,
  -- What the client states about the file, by which it recognises the upload later. Blank: sent with one request.
  name         text not null,
  size         bigint not null check (size > 0),
  modified_at  timestamptz,
  -- Bytes that are stored in chunks.
  received     bigint not null default 0 check (received between 0 and size),
  -- Whether a request reads the file.
  is_reading   boolean not null default false,
  -- When a request last wrote or read. An upload without a heartbeat for a minute can be replaced.
  heartbeat_at timestamptz not null default now()
);
-- The job that deletes uploads that did not continue.
create index uploads_heartbeat on uploads (heartbeat_at);

create table upload_chunks (
  upload_id bigint not null references uploads on delete cascade,
  -- The position of its first byte.
  number    bigint not null,
  data      bytea not null,
  primary key (upload_id, number)
);
