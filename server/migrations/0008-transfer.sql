-- Exports with their files, and imports with their remaining parts.

create table exports (
  id           bigint generated always as identity primary key,
  user_id      bigint not null references users on delete cascade,
  state        text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- Rows written so far, and in all.
  done         integer not null default 0 check (done >= 0),
  total        integer not null default 0 check (total >= 0),
  -- Bytes.
  size         bigint,
  -- How many processes started on it. Only the last one may write: every write names its attempt.
  attempts     integer not null default 0,
  -- When that process last wrote. After a minute without a heartbeat another process takes over.
  heartbeat_at timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  finished_at  timestamptz,
  expires_at   timestamptz not null,
  check ((finished_at is not null) = (state in ('done', 'failed'))),
  check ((size is not null) = (state = 'done'))
);
-- At most one unfinished export per user: the 409.
create unique index exports_unfinished on exports (user_id) where state in ('waiting', 'running');
-- A user's exports, newest first.
create index exports_of_user on exports (user_id, id desc);
-- The job that resumes interrupted exports.
create index exports_heartbeat on exports (heartbeat_at) where state in ('waiting', 'running');
-- The job that deletes expired exports.
create index exports_expired on exports (expires_at);

-- The file in pieces, stored here and not on a disk so that any machine can serve it.
create table export_chunks (
  export_id bigint not null references exports on delete cascade,
  number    integer not null,
  data      bytea not null,
  primary key (export_id, number)
);

create table imports (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  -- receiving: the file is still being uploaded; the import is not listed yet.
  state         text not null default 'receiving'
    check (state in ('receiving', 'waiting', 'running', 'done', 'failed')),
  done          integer not null default 0 check (done >= 0),
  total         integer not null default 0 check (total >= 0),
  added         integer not null default 0 check (added >= 0),
  duplicates    integer not null default 0 check (duplicates >= 0),
  failed        integer not null default 0 check (failed >= 0),
  -- The first hundred rows that failed: [{what, why}].
  problems      jsonb not null default '[]' check (jsonb_array_length(problems) <= 100),
  -- As in exports.
  attempts      integer not null default 0,
  heartbeat_at  timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  finished_at   timestamptz,
  check ((finished_at is not null) = (state in ('done', 'failed')))
);
-- At most one unfinished import per user: the 409.
create unique index imports_unfinished on imports (user_id) where state in ('waiting', 'running');
-- A user's imports, newest first.
create index imports_of_user on imports (user_id, id desc);
-- The jobs that resume interrupted imports and delete incomplete uploads.
create index imports_heartbeat on imports (heartbeat_at) where state in ('receiving', 'waiting', 'running');
-- The job that deletes old imports.
create index imports_finished on imports (finished_at) where finished_at is not null;

-- The parts of the file that are still to be imported, in its order. A part is deleted in the transaction that imports it.
create table import_parts (
  import_id bigint not null references imports on delete cascade,
  kind      text not null check (kind in (
    'profile', 'collections', 'bookmarks', 'likes', 'watched', 'blocked', 'following', 'muted_people', 'muted_tags')),
  -- The position of its first item in the file.
  number    integer not null,
  items     json not null,
  primary key (import_id, kind, number)
);

-- Which collection or channel each one of the file became. Deleted when the import is finished.
create table import_containers (
  import_id     bigint not null references imports on delete cascade,
  -- Position in the file.
  collection    integer not null,
  -- Position in the file; null: the collection itself.
  channel       integer,
  collection_id bigint not null references collections on delete cascade,
  channel_id    bigint references channels on delete cascade,
  unique nulls not distinct (import_id, collection, channel)
);
-- Which collections an import uses already; cascades from collections and channels.
create index import_containers_collection on import_containers (collection_id);
create index import_containers_channel on import_containers (channel_id) where channel_id is not null;
