-- Users, and what the server itself stores. Times are timestamptz. Ids are bigint identities below 2^53.

create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;

-- Keys that all processes share: for signing tokens and deriving refresh tokens.
create table server_keys (
  name  text primary key,
  value bytea not null check (length(value) >= 32)
);

create table users (
  id              bigint generated always as identity primary key,
  username        text not null check (username ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$'),
  email           text not null check (length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  -- Argon2id, encoded. Null: the user signs in without a password.
  password_hash   text,
  is_moderator    boolean not null default false,
  is_verified     boolean not null default false,
  banned_at       timestamptz,
  ban_reason      text not null default '',
  -- Until then the user may read, and change only their own account.
  suspended_until timestamptz,
  -- The owner deleted the account; its rows are being removed in batches (server/features/auth/accounts/remove-account.ts).
  -- A closed account is also banned, so that everything that hides banned users hides it. Its name and e-mail are
  -- placeholders: the real ones are free again.
  closed_at       timestamptz,
  -- Media key of the avatar; null: the default avatar.
  avatar_key      text,
  bio             text not null default '' check (length(bio) <= 500),
  default_bookmark_orientation text not null default 'sfw'
    check (default_bookmark_orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  -- References collections; the constraint is in the file that creates them.
  default_bookmark_collection bigint,
  notify_on_follow boolean not null default true,
  notify_on_own_video_bookmarked boolean not null default true,
  notify_on_new_bookmark_from_followed_user boolean not null default true,
  notify_on_own_video_liked boolean not null default true,
  notify_by_email text not null default 'off' check (notify_by_email in ('off', 'daily', 'weekly')),
  -- When the last digest was due, whether or not a mail was sent.
  last_digest_at  timestamptz,
  -- New bookmarks of followed users are read up to this time; follows.bookmarks_seen_at is the same for one followee.
  followed_bookmarks_seen_at timestamptz not null default now(),
  -- Counted by follows_changed().
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  created_at      timestamptz not null default now(),
  constraint closed_users_are_banned check (closed_at is null or banned_at is not null)
);

-- Sign-in and profiles: a user by name or e-mail. Both are unique regardless of case.
create unique index users_username on users (lower(username));
create unique index users_email on users (lower(email));
-- Moderators search for users by the beginning of the name.
create index users_username_prefix on users (lower(username) text_pattern_ops);
-- Moderators list banned users, suspended users and moderators.
create index users_banned on users (banned_at desc) where banned_at is not null;
create index users_suspended on users (suspended_until desc) where suspended_until is not null;
create index users_moderators on users (id) where is_moderator;
-- The job that resumes interrupted account removals.
create index users_closed on users (closed_at) where closed_at is not null;
-- Whether another user has an avatar that is about to be deleted.
create index users_avatar on users (avatar_key) where avatar_key is not null;
-- The digest job: users whose mail is due.
create index users_digest on users (id) where notify_by_email <> 'off';

-- The first response to each Idempotency-Key, for 24 hours. `status` is null while the first request is running.
create table idempotency_keys (
  user_id      bigint not null references users on delete cascade,
  key          text not null check (length(key) between 1 and 200),
  -- SHA-256 of method, path and body: the same key with another request is refused.
  request_hash bytea not null,
  status       smallint not null,
  -- JSON; empty for a reply without a body.
  body         text not null,
  created_at   timestamptz not null default now(),
  primary key (user_id, key)
);
-- The job that deletes keys after 24 hours.
create index idempotency_keys_created on idempotency_keys (created_at);

-- Token buckets shared by all processes. Unlogged: after a crash every bucket is full, so that no user is locked out.
create unlogged table rate_limits (
  key        text primary key,
  tokens     double precision not null,
  updated_at timestamptz not null default now()
);
-- The job that deletes unused buckets.
create index rate_limits_updated on rate_limits (updated_at);
