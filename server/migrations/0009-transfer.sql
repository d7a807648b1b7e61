-- Taking everything along: exports with their files, and imports with what is still to be brought in. All of it goes
-- with its user.

create table exports (
  id          bigint generated always as identity primary key,
  user_id     bigint not null references users on delete cascade,
  state       text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- Rows so far, and of how many.
  done        integer not null default 0 check (done >= 0),
  total       integer not null default 0 check (total >= 0),
  -- Bytes.
  size        bigint,
  -- How often a process took it up. Only the last one that did may write: each write names the count it was given.
  claims      integer not null default 0,
  -- When that process last got on: one that is silent for a minute is gone, and another takes it up.
  touched_at  timestamptz not null default now(),
  created_at  timestamptz not null default now(),
  finished_at timestamptz,
  expires_at  timestamptz not null,
  check ((finished_at is not null) = (state in ('done', 'failed'))),
  check ((size is not null) = (state = 'done'))
);
-- One under way per person: the 409.
create unique index exports_under_way on exports (user_id) where state in ('waiting', 'running');
-- A person's exports, the newest first.
create index exports_of_user on exports (user_id, id desc);
-- What a process left behind, looked for every minute.
create index exports_left on exports (touched_at) where state in ('waiting', 'running');
-- The daily removal.
create index exports_expired on exports (expires_at);

-- The file in pieces, here and not on a disk, so that any machine can serve it.
create table export_chunks (
  export_id bigint not null references exports on delete cascade,
  number    integer not null,
  data      bytea not null,
  primary key (export_id, number)
);

create table imports (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  -- receiving: the file is still coming in, and nobody is told of it yet.
  state         text not null default 'receiving'
    check (state in ('receiving', 'waiting', 'running', 'done', 'failed')),
  done          integer not null default 0 check (done >= 0),
  total         integer not null default 0 check (total >= 0),
  added         integer not null default 0 check (added >= 0),
  already_there integer not null default 0 check (already_there >= 0),
  left_out      integer not null default 0 check (left_out >= 0),
  -- The first hundred of what was left out: [{what, why}].
  problems      jsonb not null default '[]' check (jsonb_array_length(problems) <= 100),
  -- As of exports.
  claims        integer not null default 0,
  touched_at    timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  finished_at   timestamptz,
  check ((finished_at is not null) = (state in ('done', 'failed')))
);
-- One under way per person: the 409.
create unique index imports_under_way on imports (user_id) where state in ('waiting', 'running');
-- A person's imports, the newest first.
create index imports_of_user on imports (user_id, id desc);
-- What a process left behind, looked for every minute; what never came in whole, removed daily.
create index imports_left on imports (touched_at) where state in ('receiving', 'waiting', 'running');
-- The daily removal.
create index imports_finished on imports (finished_at) where finished_at is not null;

-- What is still to be brought in, in the order of the file. A part goes in the transaction that brings it in: what is
-- here is what is left, whatever happens in between.
create table import_parts (
  import_id bigint not null references imports on delete cascade,
  kind      text not null check (kind in ('profile', 'collections', 'bookmarks', 'likes', 'following')),
  -- Of its first item, in the file.
  number    integer not null,
  items     json not null,
  primary key (import_id, kind, number)
);

-- What the file's places, by their number in it, are here. Gone once the import is done.
create table import_places (
  import_id     bigint not null references imports on delete cascade,
  collection    integer not null,
  -- Null: the collection itself.
  channel       integer,
  collection_id bigint not null references collections on delete cascade,
  channel_id    bigint references channels on delete cascade,
  unique nulls not distinct (import_id, collection, channel)
);
-- Which collections are taken already; cascades.
create index import_places_collection on import_places (collection_id);
create index import_places_channel on import_places (channel_id) where channel_id is not null;
