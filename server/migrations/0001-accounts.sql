-- People and their sessions. Times are timestamptz; ids are bigint identities, read as numbers up to 2^53.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Keys that every process must share: signing tokens, deriving refresh successors.
create table server_secrets (
  name  text primary key,
  value bytea not null check (length(value) >= 32)
);

create table users (
  id              bigint generated always as identity primary key,
  username        text not null check (username ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$'),
  email           text not null check (length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  -- Argon2id, encoded. Null: signs in by other means only.
  password_hash   text,
  is_moderator    boolean not null default false,
  is_verified     boolean not null default false,
  banned_at       timestamptz,
  ban_reason      text not null default '',
  -- Key of a made picture in the media store; null: the default picture.
  avatar_key      text,
  bio             text not null default '' check (length(bio) <= 500),
  default_bookmark_orientation text not null default 'sfw'
    check (default_bookmark_orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  -- References collections; the constraint follows in the next migration, where they are made.
  default_bookmark_collection bigint,
  notify_on_follow boolean not null default true,
  notify_on_own_video_bookmarked boolean not null default true,
  notify_on_new_bookmark_from_followed_user boolean not null default true,
  notify_on_own_video_liked boolean not null default true,
  -- Moved by the triggers on follows.
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  created_at      timestamptz not null default now()
);

-- Names and addresses are unique whatever their case; sign-in and profiles look them up by these.
create unique index users_username on users (lower(username));
create unique index users_email on users (lower(email));

create table sessions (
  id             bigint generated always as identity primary key,
  user_id        bigint not null references users on delete cascade,
  -- SHA-256 of the refresh token that is valid now. The tokens themselves are kept nowhere.
  refresh_hash   bytea not null check (length(refresh_hash) = 32),
  -- Of the token just before: answered with the same successor for a few seconds (two tabs refreshing at once).
  previous_hash  bytea check (length(previous_hash) = 32),
  generation     integer not null default 1,
  rotated_at     timestamptz not null default now(),
  remember       boolean not null default true,
  user_agent     text not null default '' check (length(user_agent) <= 500),
  address        inet,
  created_at     timestamptz not null default now(),
  last_used_at   timestamptz not null default now(),
  expires_at     timestamptz not null,
  ended_at       timestamptz
);

-- A user's sessions, to list and to end them all.
create index sessions_of_user on sessions (user_id, last_used_at desc) where ended_at is null;
-- The daily removal of what is over.
create index sessions_expired on sessions (expires_at);

-- The first reply to each Idempotency-Key, for 24 hours. `status` is null while the first request is under way.
create table idempotency_keys (
  user_id      bigint not null references users on delete cascade,
  key          text not null check (length(key) between 1 and 200),
  -- SHA-256 of method, path and body: the same key for another request is refused.
  request_hash bytea not null,
  status       smallint,
  body         text,
  created_at   timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_old on idempotency_keys (created_at);

-- Token buckets, right across processes. Unlogged: after a crash they start full, which locks nobody out.
create unlogged table rate_limits (
  key        text primary key,
  tokens     double precision not null,
  updated_at timestamptz not null default now()
);
create index rate_limits_old on rate_limits (updated_at);
