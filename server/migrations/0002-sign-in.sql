-- Sessions, sign-in methods, second factors and tokens.

create table sessions (
  id               bigint generated always as identity primary key,
  user_id          bigint not null references users on delete cascade,
  -- SHA-256 of the current refresh token. The tokens themselves are not stored.
  refresh_hash     bytea not null check (length(refresh_hash) = 32),
  -- SHA-256 of the previous refresh token: for a few seconds it gets the same successor (two tabs refreshing at once).
  previous_hash    bytea check (length(previous_hash) = 32),
  generation       integer not null default 1,
  rotated_at       timestamptz not null default now(),
  remember         boolean not null default true,
  user_agent       text not null default '' check (length(user_agent) <= 500),
  address          inet,
  created_at       timestamptz not null default now(),
  last_used_at     timestamptz not null default now(),
  -- When the user last signed in or reauthenticated; changes to sign-in methods require this to be recent.
  authenticated_at timestamptz not null default now(),
  expires_at       timestamptz not null,
  ended_at         timestamptz
);
-- Settings: a user's sessions, to list and to end.
create index sessions_of_user on sessions (user_id, last_used_at desc) where ended_at is null;
-- The job that deletes expired sessions.
create index sessions_expired on sessions (expires_at);

-- Password reset links. Rows stay for an hour because they count the mails sent.
create table password_resets (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users on delete cascade,
  -- SHA-256 of the token, which is only in the mail.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  -- Set to an earlier time when the password is changed in another way.
  expires_at timestamptz not null,
  used_at    timestamptz
);
-- A user's resets: to end the open ones and to count the mails of the last hour.
create index password_resets_of_user on password_resets (user_id, created_at);
-- The job that deletes old resets.
create index password_resets_created on password_resets (created_at);

-- E-mail addresses that wait for confirmation. One per user: the last requested.
create table email_changes (
  user_id    bigint primary key references users on delete cascade,
  email      text not null check (length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  -- SHA-256 of the token, which is only in the mail.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- The job that deletes expired changes.
create index email_changes_expired on email_changes (expires_at);

-- Authenticator apps.
create table authenticators (
  user_id      bigint primary key references users on delete cascade,
  -- Encrypted with a key of server_keys and bound to the user, so that a copy of this table generates no codes.
  secret       bytea not null,
  -- Null until the user entered a first code; ignored until then.
  confirmed_at timestamptz,
  -- The 30-second step of the last accepted code. Each code is accepted once.
  last_step    bigint not null default 0,
  created_at   timestamptz not null default now()
);

create table recovery_codes (
  user_id   bigint not null references users on delete cascade,
  -- SHA-256 of the code, which is shown once. Used codes are deleted.
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (user_id, code_hash)
);

create table passkeys (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea not null,
  -- Authenticators that count their uses must report a higher number each time; otherwise the key was cloned.
  counter       bigint not null default 0,
  transports    text[] not null default '{}',
  name          text not null check (length(name) between 1 and 100),
  is_synced     boolean not null default false,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
-- Settings: a user's passkeys, newest first.
create index passkeys_of_user on passkeys (user_id, id desc);

-- Accounts at other sites, linked through OpenID Connect.
create table identities (
  id           bigint generated always as identity primary key,
  user_id      bigint not null references users on delete cascade,
  issuer       text not null check (length(issuer) <= 500),
  subject      text not null check (length(subject) between 1 and 500),
  email        text check (length(email) <= 254),
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  unique (issuer, subject)
);
-- Settings: a user's identities, newest first.
create index identities_of_user on identities (user_id, id desc);

-- Flows of two requests that wait for the second: a login for its code, a passkey for its signature, an identity
-- provider for the redirect. Unlogged: after a crash users start again.
create unlogged table one_time_tickets (
  -- SHA-256 of the ticket.
  hash       bytea primary key check (length(hash) = 32),
  purpose    text not null,
  user_id    bigint references users on delete cascade,
  data       jsonb not null default '{}',
  attempts   integer not null default 0,
  expires_at timestamptz not null
);
-- The job that deletes expired tickets.
create index one_time_tickets_expired on one_time_tickets (expires_at);
-- Cascade from users.
create index one_time_tickets_of_user on one_time_tickets (user_id) where user_id is not null;

-- Personal access tokens.
create table access_tokens (
  id           bigint generated always as identity primary key,
  user_id      bigint not null references users on delete cascade,
  -- SHA-256 of the token, which is shown once.
  hash         bytea not null unique check (length(hash) = 32),
  hint         text not null,
  name         text not null check (length(name) between 1 and 100),
  scopes       text[] not null check (cardinality(scopes) > 0 and scopes <@ '{read,write,moderate}'),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz
);
-- Settings: a user's tokens, newest first.
create index access_tokens_of_user on access_tokens (user_id, id desc);
-- The job that deletes expired tokens.
create index access_tokens_expired on access_tokens (expires_at) where expires_at is not null;
