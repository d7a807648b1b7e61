-- Undo of imports and pictures in imported zip files (docs/decisions/0078-complete-imports.md).

-- What an import changed of collections and channels that existed before, so that its undo can restore it. The states contain
-- what server/features/transfer/container-changes.ts lists. `after` is null only within the transaction that changes them.
create table import_container_changes (
  import_id bigint not null references imports on delete cascade,
  collection_id bigint not null references collections on delete cascade,
  -- Null: the collection itself.
  channel_id bigint references channels on delete cascade,
  before jsonb not null,
  after jsonb,
  unique nulls not distinct (import_id, collection_id, channel_id)
);
create index import_container_changes_of_collection on import_container_changes (collection_id);
create index import_container_changes_of_channel on import_container_changes (channel_id) where channel_id is not null;

-- The pictures of an imported zip file, until they become those of imported bookmarks.
create table import_pictures (
  import_id bigint not null references imports on delete cascade,
  -- In the zip file.
  name text not null,
  -- Null once the picture is that of the bookmark.
  data bytea,
  -- The bookmark that the import created for it.
  bookmark_id bigint references bookmarks on delete cascade,
  -- The perceptual hash of the picture, by which an undo recognises it. Null also for pictures with too little detail.
  hash bit(64),
  primary key (import_id, name)
);
-- Pictures are compressed already.
alter table import_pictures alter column data set storage external;
create index import_pictures_of_bookmark on import_pictures (bookmark_id) where bookmark_id is not null;
