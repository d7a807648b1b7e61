-- Names that users gave up by changing their username. Each still leads to its user and is taken for everyone else
-- (docs/decisions/0098-changing-usernames.md).
create table former_usernames (
  user_id    bigint not null references users on delete cascade,
  username   text not null,
  -- Since when the user had the name: texts written before do not mention them by it.
  used_since timestamptz not null,
  changed_at timestamptz not null default now(),
  primary key (user_id, changed_at)
);
-- A name leads to one user, whatever the case.
create unique index former_usernames_username on former_usernames (lower(username));

-- When the user got the current username; null: with the account.
alter table users add column username_since timestamptz;

-- Its result has more columns (functions/community.sql).
drop function if exists mentioned_users(text, timestamptz);
