-- Videos, bookmarks and tags (docs/decisions/0025-bookmarks-hold-their-own-copy.md).

-- Words without case and accents, and without stemming: titles are in any language.
create text search configuration reelmark (copy = simple);
alter text search configuration reelmark
  alter mapping for hword, hword_part, word, asciihword, hword_asciipart, asciiword, numword, numhword
  with unaccent, simple;

-- Depended on by videos.canonical_hash, so it is created once and never changes. convert_to() is declared stable only
-- because encodings can be redefined; from UTF-8 to UTF-8 its result cannot change.
create function url_hash(url text) returns bytea
language sql immutable strict parallel safe as $$ select sha256(convert_to(url, 'UTF8')) $$;

-- One video per canonical URL, shared by everyone who saves it. Holds identity, counters, status, and facts that the
-- server itself determined: from the link alone, or by requesting the page for a public save. Nothing a user enters is
-- stored here.
create table videos (
  id             bigint generated always as identity primary key,
  -- What makes two links the same video: the normalised link, or the one rebuilt from the id of a known host.
  canonical_url  text not null check (length(canonical_url) <= 4096),
  -- 32 bytes instead of up to 4 KB in the index that every save reads.
  canonical_hash bytea not null generated always as (url_hash(canonical_url)) stored unique,
  source_url     text not null check (source_url ~ '^https?://' and length(source_url) <= 4096),
  host           text not null,
  provider       text,
  provider_id    text,

  -- Determined by the server. Null: unknown.
  embed_url      text check (embed_url ~ '^https://' and length(embed_url) <= 4096),
  thumbnail_source_url text check (thumbnail_source_url ~ '^https?://' and length(thumbnail_source_url) <= 4096),
  -- Media keys of the stored thumbnail: for cards, and for the bookmark page. Both or neither.
  thumbnail_key  text,
  thumbnail_large_key text,
  thumbnail_state text not null default 'none' check (thumbnail_state in ('none', 'pending', 'ready', 'failed')),
  -- Perceptual hash (server/core/media/perceptual-hash.ts); null: no thumbnail, or one without features.
  thumbnail_hash bit(64),
  shape          text check (shape in ('landscape', 'portrait', 'square')),
  duration       integer check (duration between 0 and 8640000),
  width          integer check (width between 1 and 100000),
  height         integer check (height between 1 and 100000),

  -- A moderator's orientation. Overrides that of every bookmark of the video.
  orientation_ruling text check (orientation_ruling in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  -- hidden: under review. removed: taken down by a moderator, with all its bookmarks.
  status         text not null default 'visible' check (status in ('visible', 'hidden', 'removed')),
  -- The earliest public bookmark, which represents the video in Explore. Set by sync_bookmark_aggregates().
  lead_bookmark_id bigint,
  -- Users with a public bookmark of it. Set by sync_bookmark_aggregates().
  saves_count    integer not null default 0 check (saves_count >= 0),
  -- Counted by likes_changed().
  likes_count    integer not null default 0 check (likes_count >= 0),
  -- Visible top-level comments. Counted by comments_changed() and comment_visibility_changed().
  comments_count integer not null default 0 check (comments_count >= 0),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  constraint videos_thumbnail_has_both_sizes check ((thumbnail_large_key is null) = (thumbnail_key is null))
);
-- The job that fetches thumbnails, also those that a crash left behind.
create index videos_pending_thumbnail on videos (id) where thumbnail_state = 'pending';

-- One user's saved copy of a video.
create table bookmarks (
  id            bigint generated always as identity primary key,
  -- No foreign key of its own: (collection_id, user_id) references a collection of that user.
  user_id       bigint not null,
  video_id      bigint not null references videos on delete cascade,
  collection_id bigint not null,
  channel_id    bigint,
  title         text not null check (length(title) between 1 and 300),
  description   text not null default '' check (length(description) <= 5000),
  tags          text[] not null default '{}' check (cardinality(tags) <= 30),
  -- What the owner chose; see effective_orientation.
  orientation   text not null default 'sfw' check (orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  access        text not null default 'public' check (access in ('public', 'private')),

  -- What the owner entered where it differs from what the server determined. Null: the video's value applies.
  embed_url     text check (embed_url ~ '^https://' and length(embed_url) <= 4096),
  thumbnail_source_url text check (thumbnail_source_url ~ '^https?://' and length(thumbnail_source_url) <= 4096),
  thumbnail_key text,
  thumbnail_large_key text,
  thumbnail_state text not null default 'none' check (thumbnail_state in ('none', 'pending', 'ready', 'failed')),
  thumbnail_hash bit(64),
  shape         text check (shape in ('landscape', 'portrait', 'square')),
  duration      integer check (duration between 0 and 8640000),
  width         integer check (width between 1 and 100000),
  height        integer check (height between 1 and 100000),

  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- When it was moved to the trash; deleted for good 30 days later.
  deleted_at    timestamptz,
  -- The content rule that withholds it until a moderator has looked at it, for the moderator to read.
  hold_reason   text check (length(hold_reason) <= 2000),

  -- The columns below are set by triggers (the file of bookmark functions). Lists filter and sort by these copies
  -- because filtering through a join is several times slower.
  -- The video's orientation ruling, otherwise the owner's orientation.
  effective_orientation text not null default 'sfw',
  -- Bookmark and collection have public access, it is neither held nor in the trash, and its owner is not banned.
  is_public     boolean not null default false,
  -- It would be public if no content rule withheld it.
  is_held       boolean not null default false,
  -- Public, and the video is neither hidden nor removed: everyone may see it.
  is_visible    boolean not null default false,
  -- Visible, and the lead bookmark of its video: a card in Explore.
  is_listed     boolean not null default false,
  -- Of a visible bookmark: the video's lead bookmark, its created_at and its effective_orientation. Search matches any
  -- visible bookmark of a video and shows the video once, by its lead and where its lead stands.
  lead_bookmark_id bigint,
  lead_created_at timestamptz,
  lead_orientation text,
  -- Position in the random order, equal for all bookmarks of a video.
  random_key    double precision not null default 0,
  search_vector tsvector not null default '',

  foreign key (collection_id, user_id) references collections (id, user_id) on delete cascade,
  foreign key (channel_id, collection_id) references channels (id, collection_id),
  constraint bookmarks_thumbnail_has_both_sizes check ((thumbnail_large_key is null) = (thumbnail_key is null))
);

-- One bookmark per video and destination: the 409 of saving twice.
create unique index bookmarks_destination on bookmarks (user_id, video_id, collection_id, channel_id)
  nulls not distinct where deleted_at is null;
-- A video's lead bookmark and its savers; cascade from videos.
create index bookmarks_of_video on bookmarks (video_id, id) include (user_id, is_public);
-- Explore, newest first, with and without an orientation.
create index bookmarks_listed on bookmarks (created_at desc, id desc) where is_listed;
create index bookmarks_listed_of_orientation on bookmarks (effective_orientation, created_at desc, id desc)
  where is_listed;
-- Explore in random order, with and without an orientation.
create index bookmarks_listed_random on bookmarks (random_key, id) where is_listed;
create index bookmarks_listed_random_of_orientation on bookmarks (effective_orientation, random_key, id)
  where is_listed;
-- Search and tag lists: words, and the exact lexemes tag:x, user:x and site:x.
create index bookmarks_search on bookmarks using gin (search_vector) where is_visible;
-- Searches for common words: read in the order of the results, newest first with and without an orientation, and random.
create index bookmarks_visible on bookmarks (lead_created_at desc, lead_bookmark_id desc) where is_visible;
create index bookmarks_visible_of_orientation
  on bookmarks (lead_orientation, lead_created_at desc, lead_bookmark_id desc) where is_visible;
create index bookmarks_visible_random on bookmarks (random_key, lead_bookmark_id) where is_visible;
-- Profiles and following feeds as everyone sees them.
create index bookmarks_visible_of_user on bookmarks (user_id, created_at desc, id desc) where is_visible;
-- Profiles as their owner sees them.
create index bookmarks_of_user on bookmarks (user_id, created_at desc, id desc) include (is_visible, video_id)
  where deleted_at is null;
-- The bookmarks of a collection and of a channel, newest first; cascades from both.
create index bookmarks_of_collection on bookmarks (collection_id, created_at desc, id desc);
create index bookmarks_of_channel on bookmarks (channel_id, created_at desc, id desc) where channel_id is not null;
-- A user's trash, latest first.
create index bookmarks_trash_of_user on bookmarks (user_id, deleted_at desc, id desc) where deleted_at is not null;
-- The job that empties the trash after 30 days.
create index bookmarks_trash on bookmarks (deleted_at) where deleted_at is not null;
-- The job that fetches thumbnails, also those that a crash left behind.
create index bookmarks_pending_thumbnail on bookmarks (id) where thumbnail_state = 'pending';
-- Comparing bookmarks' own thumbnails with a refused picture.
create index bookmarks_own_thumbnail on bookmarks (id) where thumbnail_hash is not null;

alter table videos add foreign key (lead_bookmark_id) references bookmarks on delete set null;
-- Cascade from bookmarks.
create index videos_lead on videos (lead_bookmark_id) where lead_bookmark_id is not null;

-- The part of a bookmark that sync_bookmark_aggregates() compares before and after a change.
create type bookmark_state as (
  id bigint, user_id bigint, video_id bigint, is_public boolean, is_visible boolean, tags text[],
  created_at timestamptz, effective_orientation text
);

-- What the server determined by requesting a page for a user, for one hour: a save compares with it what it was sent.
create table extractions (
  user_id        bigint not null references users on delete cascade,
  canonical_hash bytea not null check (length(canonical_hash) = 32),
  embed_url      text check (length(embed_url) <= 4096),
  thumbnail_source_url text check (length(thumbnail_source_url) <= 4096),
  shape          text check (shape in ('landscape', 'portrait', 'square')),
  duration       integer,
  width          integer,
  height         integer,
  created_at     timestamptz not null default now(),
  primary key (user_id, canonical_hash)
);
-- The job that deletes extractions after an hour.
create index extractions_created on extractions (created_at);

create table tags (
  id             bigint generated always as identity primary key,
  -- Lower case, trimmed, NFC.
  name           text not null unique check (length(name) between 1 and 50),
  -- Visible bookmarks with this tag. Private ones are not counted, so that they cannot be guessed.
  uses_count     integer not null default 0 check (uses_count >= 0),
  -- Of these, those whose effective orientation is sfw, and those that lead their video. Counted by the job recount-tags
  -- and therefore some minutes old; null: not counted yet.
  sfw_uses_count integer check (sfw_uses_count >= 0),
  listed_uses_count integer check (listed_uses_count >= 0)
);
-- Tag suggestions: the most used with a prefix.
create index tags_prefix on tags (name text_pattern_ops) where uses_count > 0;
-- Tag suggestions without a prefix.
create index tags_popular on tags (uses_count desc, name) where uses_count > 0;

-- Words of visible bookmarks: misspelt words of a search are compared with them.
create table search_words (
  word text primary key
);
-- Similar words (by trigrams).
create index search_words_similar on search_words using gin (word gin_trgm_ops);

-- Listed bookmarks by effective orientation ('all': their sum), counted by a job. Lists show these counts, as
-- estimates, above 10,000; below that they count exactly.
create table listing_counts (
  orientation text primary key,
  count       bigint not null,
  counted_at  timestamptz not null default now()
);

-- Videos, not bookmarks: a user with two bookmarks of a video has watched both.
create table watched_videos (
  user_id    bigint not null references users on delete cascade,
  video_id   bigint not null references videos on delete cascade,
  watched_at timestamptz not null default now(),
  primary key (user_id, video_id)
);
-- Cascade from videos.
create index watched_videos_of_video on watched_videos (video_id);
