-- What pictures look like, as 64 bits (server/core/media/perceptual-hash.ts); null: made before this, or like too much else.
alter table videos add column thumbnail_hash bit(64);

-- Of videos that were refused for good: nothing that nearly looks like one is kept.
create table refused_pictures (
  hash       bit(64) primary key,
  created_at timestamptz not null default now()
);
