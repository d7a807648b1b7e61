-- Who wants nothing to do with whom, and what somebody does not want to come across.
-- What follows from it: docs/decisions/0012-blocking-and-muting.md.

create table blocks (
  blocker_id bigint not null references users on delete cascade,
  blocked_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- One's own, newest first.
create index blocks_newest on blocks (blocker_id, created_at desc, blocked_id desc);
-- By whom somebody is blocked; cascades.
create index blocks_of_blocked on blocks (blocked_id, blocker_id);

create table mutes (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users on delete cascade,
  -- One of the two: a person, or a tag, which need not be in use.
  muted_id   bigint references users on delete cascade,
  tag        text check (length(tag) between 1 and 50),
  created_at timestamptz not null default now(),
  check (num_nonnulls(muted_id, tag) = 1),
  check (muted_id <> user_id),
  -- Nothing is muted twice; whom and what somebody mutes.
  unique (user_id, muted_id),
  unique (user_id, tag)
);
-- Cascades.
create index mutes_muted on mutes (muted_id) where muted_id is not null;

-- Whether one of two people blocked the other; false where one of them is nobody (null: a visitor).
create function is_blocked_between(a bigint, b bigint) returns boolean
language sql stable parallel safe as $$
  select exists (select from blocks where blocker_id = a and blocked_id = b)
      or exists (select from blocks where blocker_id = b and blocked_id = a)
$$;

-- Nobody follows across a block, whichever way the rows come. Both lock the two users, ordered by id: a follow that
-- was under way when the other was blocked is ended as those are that were there. Its name puts it after
-- follows_inserted, which takes the locks; only then are the blocks looked at.
create function follows_end_at_blocks() returns trigger
language plpgsql as $$
begin
  delete from follows f using rows r
   where f.follower_id = r.follower_id and f.followee_id = r.followee_id
     and is_blocked_between(r.follower_id, r.followee_id);
  return null;
end $$;
create trigger follows_not_blocked after insert on follows
  referencing new table as rows for each statement execute function follows_end_at_blocks();

create function blocks_end_follows() returns trigger
language plpgsql as $$
begin
  perform from users
    where id in (select blocker_id from rows union select blocked_id from rows) order by id for no key update;
  delete from follows f using rows r
   where (f.follower_id = r.blocker_id and f.followee_id = r.blocked_id)
      or (f.follower_id = r.blocked_id and f.followee_id = r.blocker_id);
  return null;
end $$;
create trigger blocks_inserted after insert on blocks
  referencing new table as rows for each statement execute function blocks_end_follows();
