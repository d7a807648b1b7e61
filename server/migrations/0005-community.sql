-- Likes, follows, comments, blocks and mutes. Triggers update the counters, because rows are also deleted by cascades.

create table likes (
  user_id    bigint not null references users on delete cascade,
  video_id   bigint not null references videos on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, video_id)
);
-- A profile's liked videos, newest first.
create index likes_of_user on likes (user_id, created_at desc, video_id desc);
-- Cascade from videos.
create index likes_of_video on likes (video_id, created_at desc);

create table follows (
  follower_id bigint not null references users on delete cascade,
  followee_id bigint not null references users on delete cascade,
  created_at  timestamptz not null default now(),
  -- The follower has seen the followee's bookmarks up to this time; see users.followed_bookmarks_seen_at.
  bookmarks_seen_at timestamptz,
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);
-- The users a user follows, latest first.
create index follows_following on follows (follower_id, created_at desc, followee_id desc);
-- A user's followers, latest first.
create index follows_followers on follows (followee_id, created_at desc, follower_id desc);

create table comments (
  id            bigint generated always as identity primary key,
  video_id      bigint not null references videos on delete cascade,
  -- Null: 'Deleted user'.
  user_id       bigint references users on delete set null,
  parent_id     bigint,
  content       text not null check (length(content) between 1 and 500 and content = btrim(content)),
  -- Hidden and removed comments are neither shown nor counted, and neither are the replies to them.
  status        text not null default 'visible' check (status in ('visible', 'hidden', 'removed')),
  -- Hash of the words of a comment long enough to be recognised when it is posted again.
  fingerprint   bytea check (length(fingerprint) = 16),
  -- Visible replies to a top-level comment. Counted by comments_changed() and comment_visibility_changed().
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- A reply's parent is a top-level comment on the same video.
  depth         smallint not null generated always as (case when parent_id is null then 0 else 1 end) stored,
  parent_depth  smallint generated always as (case when parent_id is null then null else 0 end) stored,
  unique (id, video_id, depth),
  foreign key (parent_id, video_id, parent_depth) references comments (id, video_id, depth) on delete cascade
);
-- The comments on a video, newest first.
create index comments_of_video on comments (video_id, created_at desc, id desc) where parent_id is null;
-- The replies to a comment, oldest first.
create index comments_replies on comments (parent_id, created_at, id) where parent_id is not null;
-- A user's comments, newest first.
create index comments_of_user on comments (user_id, created_at desc) where user_id is not null;
-- How many comments on a video are by users the viewer does not see because of a block.
create index comments_of_user_on_video on comments (video_id, user_id)
  where parent_id is null and status = 'visible';
-- Whether the same words were posted recently.
create index comments_fingerprint on comments (fingerprint, created_at desc) where fingerprint is not null;

-- What follows from blocks and mutes: docs/decisions/0012-blocking-and-muting.md.
create table blocks (
  blocker_id bigint not null references users on delete cascade,
  blocked_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- Settings: the users a user blocked, latest first.
create index blocks_newest on blocks (blocker_id, created_at desc, blocked_id desc);
-- Who blocked a user; cascade from users.
create index blocks_of_blocked on blocks (blocked_id, blocker_id);

create table mutes (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users on delete cascade,
  -- Either a user or a tag. The tag need not be in use.
  muted_id   bigint references users on delete cascade,
  tag        text check (length(tag) between 1 and 50),
  created_at timestamptz not null default now(),
  check (num_nonnulls(muted_id, tag) = 1),
  check (muted_id <> user_id),
  -- Nothing is muted twice; a user's muted users and tags.
  unique (user_id, muted_id),
  unique (user_id, tag)
);
-- Cascade from users.
create index mutes_muted on mutes (muted_id) where muted_id is not null;
