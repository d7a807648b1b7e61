-- Links by which somebody who forgot their password sets a new one. Rows stay for their hour: they count the mails.

create table password_resets (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users on delete cascade,
  -- SHA-256 of the token, which is in the mail and nowhere else.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  -- Brought forward when the password changes by other means.
  expires_at timestamptz not null,
  used_at    timestamptz
);

-- A user's resets: to end the open ones, and to count the mails of the last hour.
create index password_resets_of_user on password_resets (user_id, created_at);
-- The daily removal of what is over.
create index password_resets_old on password_resets (created_at);
