-- Videos, the bookmarks people keep of them, and where those are kept.

create table tags (
  id         bigint generated always as identity primary key,
  -- Lower case, trimmed, NFC.
  name       text not null unique check (length(name) between 1 and 50),
  -- Bookmarks in Explore that bear it; private ones do not count and so cannot be guessed.
  uses_count integer not null default 0 check (uses_count >= 0)
);
-- Suggestions: the most used that start with a text.
create index tags_prefix on tags (name text_pattern_ops) where uses_count > 0;
create index tags_popular on tags (uses_count desc, name) where uses_count > 0;

create table collections (
  id          bigint generated always as identity primary key,
  user_id     bigint not null references users on delete cascade,
  name        text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 5000),
  access      text not null default 'public' check (access in ('public', 'private')),
  picture_key text,
  position    integer not null default 0,
  created_at  timestamptz not null default now(),
  -- For bookmarks: a collection and its bookmarks have one owner.
  unique (id, user_id)
);
create index collections_of_user on collections (user_id, position, id);

create table channels (
  id            bigint generated always as identity primary key,
  collection_id bigint not null references collections on delete cascade,
  name          text not null check (length(name) between 1 and 100),
  description   text not null default '' check (length(description) <= 5000),
  picture_key   text,
  position      integer not null default 0,
  created_at    timestamptz not null default now(),
  -- For bookmarks: the channel is one of the collection's.
  unique (id, collection_id)
);
create index channels_of_collection on channels (collection_id, position, id);

alter table users add foreign key (default_bookmark_collection) references collections on delete set null;
create index users_default_collection on users (default_bookmark_collection)
  where default_bookmark_collection is not null;

-- convert_to() is marked stable for encodings that can be redefined; from UTF-8 to UTF-8 it cannot change.
create function url_hash(url text) returns bytea
language sql immutable strict parallel safe as $$ select sha256(convert_to(url, 'UTF8')) $$;

create table videos (
  id             bigint generated always as identity primary key,
  -- What makes two links one video: normalised, or rebuilt from the id of a known host.
  canonical_url  text not null check (length(canonical_url) <= 4096),
  -- A fixed 32 bytes instead of up to 4 KB in the index that every save goes through.
  canonical_hash bytea not null generated always as (url_hash(canonical_url)) stored unique,
  source_url     text not null check (source_url ~ '^https?://' and length(source_url) <= 4096),
  host           text not null,
  provider       text,
  provider_id    text,
  title          text not null check (length(title) between 1 and 300),
  description    text not null default '' check (length(description) <= 5000),
  tags           text[] not null default '{}' check (cardinality(tags) <= 30),
  embed_url      text check (embed_url ~ '^https://' and length(embed_url) <= 4096),
  thumbnail_source_url text check (thumbnail_source_url ~ '^https?://' and length(thumbnail_source_url) <= 4096),
  -- Keys of the made pictures in the media store: for cards, and for the video's own page. Both or neither.
  thumbnail_key  text,
  thumbnail_large_key text check ((thumbnail_large_key is null) = (thumbnail_key is null)),
  thumbnail_state text not null default 'none' check (thumbnail_state in ('none', 'pending', 'ready', 'failed')),
  orientation    text not null default 'sfw' check (orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  shape          text not null default 'unknown' check (shape in ('landscape', 'portrait', 'square', 'unknown')),
  duration       integer check (duration between 0 and 8640000),
  width          integer check (width between 1 and 100000),
  height         integer check (height between 1 and 100000),
  -- Whose words title, description and tags are; null: nobody's (a moderator's). Not a reference: a number that is
  -- nobody's any more is as good. See settle_bookmarks().
  words_by       bigint,
  -- hidden: pending review. removed: with all its bookmarks, by a moderator.
  status         text not null default 'visible' check (status in ('visible', 'hidden', 'removed')),
  -- The earliest public bookmark: it stands for the video in Explore. Kept by bookmarks_changed().
  lead_bookmark_id bigint,
  -- People with a public bookmark of it. Kept by bookmarks_changed().
  saves_count    integer not null default 0 check (saves_count >= 0),
  likes_count    integer not null default 0 check (likes_count >= 0),
  -- Top-level comments.
  comments_count integer not null default 0 check (comments_count >= 0),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);

create table bookmarks (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  video_id      bigint not null references videos on delete cascade,
  collection_id bigint not null,
  channel_id    bigint,
  title         text not null default '' check (length(title) <= 300),
  description   text not null default '' check (length(description) <= 5000),
  tags          text[] not null default '{}' check (cardinality(tags) <= 30),
  access        text not null default 'public' check (access in ('public', 'private')),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- In the trash since; removed for good after 30 days.
  deleted_at    timestamptz,

  -- Copies that lists filter by, all kept by triggers (measured: filters through a join are 3.7 times slower).
  orientation   text not null default 'sfw',
  -- Its own access and its collection's are public, and it is not in the trash.
  is_public     boolean not null default false,
  -- Public, and its video is neither hidden nor removed: anyone may see it.
  is_visible    boolean not null default false,
  -- Visible, and the lead of its video: a card in Explore.
  is_listed     boolean not null default false,
  -- Where it stands in the random order.
  random_key    double precision not null default random(),
  search        tsvector not null default '',

  -- The place is one's own collection, and the channel is in it.
  foreign key (collection_id, user_id) references collections (id, user_id) on delete cascade,
  foreign key (channel_id, collection_id) references channels (id, collection_id)
);

-- One bookmark per place and video: the 409 of saving twice.
create unique index bookmarks_place on bookmarks (user_id, video_id, collection_id, channel_id)
  nulls not distinct where deleted_at is null;
-- The lead and the collectors of a video; cascades from videos.
create index bookmarks_of_video on bookmarks (video_id, id) include (user_id, is_public);
-- Explore, newest first, with and without an orientation.
create index bookmarks_newest on bookmarks (created_at desc, id desc) where is_listed;
create index bookmarks_newest_of_orientation on bookmarks (orientation, created_at desc, id desc) where is_listed;
-- Explore, random.
create index bookmarks_random on bookmarks (random_key, id) where is_listed;
create index bookmarks_random_of_orientation on bookmarks (orientation, random_key, id) where is_listed;
-- Search and tag lists: words, and the exact lexemes tag:x, user:x, site:x.
create index bookmarks_search on bookmarks using gin (search) where is_listed;
-- Profiles and feeds as others see them, and as their owner does.
create index bookmarks_of_user on bookmarks (user_id, created_at desc, id desc) where is_visible;
create index bookmarks_own on bookmarks (user_id, created_at desc, id desc) include (is_visible, video_id)
  where deleted_at is null;
-- A collection's and a channel's bookmarks; cascades from both.
create index bookmarks_of_collection on bookmarks (collection_id, created_at desc, id desc);
create index bookmarks_of_channel on bookmarks (channel_id, created_at desc, id desc) where channel_id is not null;
create index bookmarks_trash on bookmarks (deleted_at) where deleted_at is not null;

alter table videos add foreign key (lead_bookmark_id) references bookmarks on delete set null;
create index videos_lead on videos (lead_bookmark_id) where lead_bookmark_id is not null;
-- Pictures still to be fetched, also after a crash.
create index videos_pending_thumbnail on videos (id) where thumbnail_state = 'pending';

-- Bookmarks in Explore by orientation ('all' for their sum), recounted in the background. Lists answer it, as an
-- estimate, where it is past 10,000; below that they count exactly.
create table listing_counts (
  orientation text primary key,
  count       bigint not null,
  counted_at  timestamptz not null default now()
);

-- Words that stand in Explore: what a misspelt word of a search is compared with.
create table search_words (
  word text primary key
);
create index search_words_similar on search_words using gin (word gin_trgm_ops);
