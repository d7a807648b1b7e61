-- Triggers that count likes, follows and comments. Each locks the rows it counts on, ordered by id, before it counts.

create or replace function likes_changed() returns trigger
language plpgsql as $$
begin
  perform from videos where id in (select video_id from rows) order by id for no key update;
  update videos set likes_count = likes_count + tg_argv[0]::int * change.amount
    from (select video_id, count(*) as amount from rows group by video_id) change where id = change.video_id;
  return null;
end $$;

create or replace trigger likes_inserted after insert on likes
  referencing new table as rows for each statement execute function likes_changed('1');
create or replace trigger likes_deleted after delete on likes
  referencing old table as rows for each statement execute function likes_changed('-1');

-- Whether one of two users blocked the other; false if one of them is null (a visitor).
create or replace function is_blocked_between(a bigint, b bigint) returns boolean
language sql stable parallel safe as $$
  select exists (select from blocks where blocker_id = a and blocked_id = b)
      or exists (select from blocks where blocker_id = b and blocked_id = a)
$$;

create or replace function follows_changed() returns trigger
language plpgsql as $$
begin
  perform from users
    where id in (select follower_id from rows union select followee_id from rows) order by id for no key update;
  update users
     set following_count = following_count + tg_argv[0]::int * change.following,
         followers_count = followers_count + tg_argv[0]::int * change.followers
    from (select id, sum(following) as following, sum(followers) as followers
            from (select follower_id as id, 1 as following, 0 as followers from rows
                  union all select followee_id, 0, 1 from rows) ends
           group by id) change
   where users.id = change.id;
  -- Deletes follows between two users if one of them blocked the other. blocks_inserted() takes the same locks: it deletes
  -- earlier follows, and this trigger deletes a follow created at the same time as the block.
  if tg_op = 'INSERT' then
    delete from follows f using rows r
     where f.follower_id = r.follower_id and f.followee_id = r.followee_id
       and is_blocked_between(r.follower_id, r.followee_id);
  end if;
  return null;
end $$;

create or replace trigger follows_inserted after insert on follows
  referencing new table as rows for each statement execute function follows_changed('1');
create or replace trigger follows_deleted after delete on follows
  referencing old table as rows for each statement execute function follows_changed('-1');

create or replace function blocks_inserted() returns trigger
language plpgsql as $$
begin
  perform from users
    where id in (select blocker_id from rows union select blocked_id from rows) order by id for no key update;
  delete from follows f using rows r
   where (f.follower_id = r.blocker_id and f.followee_id = r.blocked_id)
      or (f.follower_id = r.blocked_id and f.followee_id = r.blocker_id);
  -- A user who follows a collection or channel takes the same locks before.
  delete from followed_lists f
   using (select blocker_id as follower_id, blocked_id as owner_id from rows
          union all select blocked_id, blocker_id from rows) pair
   where f.user_id = pair.follower_id
     and pair.owner_id = coalesce(
           (select c.user_id from collections c where c.id = f.collection_id),
           (select c.user_id from channels ch join collections c on c.id = ch.collection_id where ch.id = f.channel_id));
  return null;
end $$;

create or replace trigger blocks_inserted after insert on blocks
  referencing new table as rows for each statement execute function blocks_inserted();

create or replace function comments_changed() returns trigger
language plpgsql as $$
begin
  perform from videos where id in (select video_id from rows where depth = 0) order by id for no key update;
  update videos set comments_count = comments_count + tg_argv[0]::int * change.amount
    from (select video_id, count(*) as amount from rows where depth = 0 and status = 'visible' group by video_id) change
   where id = change.video_id;
  perform from comments where id in (select parent_id from rows) order by id for no key update;
  update comments set replies_count = replies_count + tg_argv[0]::int * change.amount
    from (select parent_id, count(*) as amount from rows where depth = 1 and status = 'visible' group by parent_id) change
   where id = change.parent_id;
  return null;
end $$;

create or replace trigger comments_inserted after insert on comments
  referencing new table as rows for each statement execute function comments_changed('1');
create or replace trigger comments_deleted after delete on comments
  referencing old table as rows for each statement execute function comments_changed('-1');

create or replace function comment_visibility_changed() returns trigger
language plpgsql as $$
declare
  step integer := case when new.status = 'visible' then 1 else -1 end;
begin
  if new.parent_id is null then
    update videos set comments_count = comments_count + step where id = new.video_id;
  else
    update comments set replies_count = replies_count + step where id = new.parent_id;
  end if;
  return null;
end $$;

create or replace trigger comment_visibility_changed after update of status on comments
  for each row when ((old.status = 'visible') <> (new.status = 'visible')) execute function comment_visibility_changed();

-- The names that a text mentions as `@name`, in lower case. A name may end with punctuation; if no user has that name, it is the
-- end of the sentence (`trimmed`).
create or replace function mentioned_names(content text) returns table (name text, trimmed text)
language sql immutable parallel safe as $$
  select lower(match[1]), rtrim(lower(match[1]), '._-')
    from regexp_matches(content, '(?<![[:alnum:]_@./-])@([A-Za-z0-9][A-Za-z0-9_.-]{2,29})(?![A-Za-z0-9_])', 'g') match
$$;

-- The users whom a text mentions: those of its first ten mentions who already had the name when it was written. `username` is the
-- name by which the text mentions them, which may be a former one.
create or replace function mentioned_users(content text, written_at timestamptz)
returns table (user_id bigint, username text, is_former boolean)
language sql stable parallel safe as $$
  select distinct mentioned.*
    from (select name, trimmed from mentioned_names(content) limit 10) found
   cross join lateral (
     select u.id, holder.username, holder.is_former
       from (values (1, found.name), (2, found.trimmed)) candidate (rank, name)
      cross join lateral (
        select c.id, c.username, false as is_former from users c
         where lower(c.username) = candidate.name and coalesce(c.username_since, c.created_at) <= written_at
        union all
        select f.user_id, f.username, true from former_usernames f
         where lower(f.username) = candidate.name and f.used_since <= written_at) holder
       join users u on u.id = holder.id and u.banned_at is null
      order by candidate.rank limit 1) mentioned
$$;
