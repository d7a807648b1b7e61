-- What people do with videos and with each other. Counters are moved by triggers, not by the calling code: rows also
-- go by cascade (an account deleted), and the counters must be right afterwards.

create table likes (
  user_id    bigint not null references users on delete cascade,
  video_id   bigint not null references videos on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, video_id)
);
-- A profile's liked tab, newest first.
create index likes_of_user on likes (user_id, created_at desc, video_id desc);
create index likes_of_video on likes (video_id, created_at desc);

create table follows (
  follower_id bigint not null references users on delete cascade,
  followee_id bigint not null references users on delete cascade,
  created_at  timestamptz not null default now(),
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);
create index follows_following on follows (follower_id, created_at desc, followee_id desc);
create index follows_followers on follows (followee_id, created_at desc, follower_id desc);

create table comments (
  id            bigint generated always as identity primary key,
  video_id      bigint not null references videos on delete cascade,
  -- Null: 'Deleted user'.
  user_id       bigint references users on delete set null,
  parent_id     bigint,
  content       text not null check (length(content) between 1 and 500 and content = btrim(content)),
  -- Of a top-level comment.
  replies_count integer not null default 0 check (replies_count >= 0),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- A reply's parent is a top-level comment on the same video.
  depth         smallint not null generated always as (case when parent_id is null then 0 else 1 end) stored,
  parent_depth  smallint generated always as (case when parent_id is null then null else 0 end) stored,
  unique (id, video_id, depth),
  foreign key (parent_id, video_id, parent_depth) references comments (id, video_id, depth) on delete cascade
);
create index comments_of_video on comments (video_id, created_at desc, id desc) where parent_id is null;
create index comments_replies on comments (parent_id, created_at, id) where parent_id is not null;
create index comments_of_user on comments (user_id, created_at desc) where user_id is not null;

create function likes_changed() returns trigger
language plpgsql as $$
begin
  perform from videos where id in (select video_id from rows) order by id for no key update;
  update videos set likes_count = likes_count + tg_argv[0]::int * moved.by
    from (select video_id, count(*) as by from rows group by video_id) moved where id = moved.video_id;
  return null;
end $$;
create trigger likes_inserted after insert on likes
  referencing new table as rows for each statement execute function likes_changed('1');
create trigger likes_deleted after delete on likes
  referencing old table as rows for each statement execute function likes_changed('-1');

create function follows_changed() returns trigger
language plpgsql as $$
begin
  perform from users
    where id in (select follower_id from rows union select followee_id from rows) order by id for no key update;
  update users
     set following_count = following_count + tg_argv[0]::int * moved.following,
         followers_count = followers_count + tg_argv[0]::int * moved.followers
    from (select id, sum(following) as following, sum(followers) as followers
            from (select follower_id as id, 1 as following, 0 as followers from rows
                  union all select followee_id, 0, 1 from rows) ends
           group by id) moved
   where users.id = moved.id;
  return null;
end $$;
create trigger follows_inserted after insert on follows
  referencing new table as rows for each statement execute function follows_changed('1');
create trigger follows_deleted after delete on follows
  referencing old table as rows for each statement execute function follows_changed('-1');

create function comments_changed() returns trigger
language plpgsql as $$
begin
  perform from videos where id in (select video_id from rows where depth = 0) order by id for no key update;
  update videos set comments_count = comments_count + tg_argv[0]::int * moved.by
    from (select video_id, count(*) as by from rows where depth = 0 group by video_id) moved
   where id = moved.video_id;
  perform from comments where id in (select parent_id from rows) order by id for no key update;
  update comments set replies_count = replies_count + tg_argv[0]::int * moved.by
    from (select parent_id, count(*) as by from rows where depth = 1 group by parent_id) moved
   where id = moved.parent_id;
  return null;
end $$;
create trigger comments_inserted after insert on comments
  referencing new table as rows for each statement execute function comments_changed('1');
create trigger comments_deleted after delete on comments
  referencing old table as rows for each statement execute function comments_changed('-1');

create table notifications (
  id          bigint generated always as identity primary key,
  user_id     bigint not null references users on delete cascade,
  kind        text not null
    check (kind in ('follow', 'own_video_bookmarked', 'new_bookmark_from_followed_user', 'own_video_liked', 'reply')),
  actor_id    bigint references users on delete cascade,
  video_id    bigint references videos on delete cascade,
  bookmark_id bigint references bookmarks on delete cascade,
  comment_id  bigint references comments on delete cascade,
  created_at  timestamptz not null default now(),
  read_at     timestamptz
);
create index notifications_of_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
-- Cascades.
create index notifications_actor on notifications (actor_id) where actor_id is not null;
create index notifications_video on notifications (video_id) where video_id is not null;
create index notifications_bookmark on notifications (bookmark_id) where bookmark_id is not null;
create index notifications_comment on notifications (comment_id) where comment_id is not null;
