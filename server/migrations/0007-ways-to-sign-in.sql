-- The ways to sign in beside a password, and what scripts sign in with.

-- When its owner last showed who they are: by signing in, or again. What changes how one signs in asks for that.
alter table sessions add column confirmed_at timestamptz not null default now();

create table authenticators (
  user_id      bigint primary key references users on delete cascade,
  -- Encrypted with a key of server_secrets, bound to the user: a copy of this table alone makes no codes.
  secret       bytea not null,
  -- Null until a code of it was given: it does not count before.
  confirmed_at timestamptz,
  -- The 30 seconds of the last code that was taken: each is taken once.
  last_step    bigint not null default 0,
  created_at   timestamptz not null default now()
);

create table recovery_codes (
  user_id    bigint not null references users on delete cascade,
  -- SHA-256 of the code, which is shown once. Used ones are gone.
  code_hash  bytea not null check (length(code_hash) = 32),
  primary key (user_id, code_hash)
);

create table passkeys (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea not null,
  -- Where an authenticator counts its uses, a number that does not grow tells of a copy.
  counter       bigint not null default 0,
  transports    text[] not null default '{}',
  name          text not null check (length(name) between 1 and 100),
  is_synced     boolean not null default false,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index passkeys_of_user on passkeys (user_id, id desc);

-- Who somebody is on another site that vouches for them (OpenID Connect).
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
create index identities_of_user on identities (user_id, id desc);

-- What was begun and waits for its second half: a login for its code, a passkey for its signature, another site for
-- the way back. Unlogged: after a crash people begin again.
create unlogged table tickets (
  -- SHA-256 of the ticket.
  hash       bytea primary key check (length(hash) = 32),
  purpose    text not null,
  user_id    bigint references users on delete cascade,
  data       jsonb not null default '{}',
  attempts   integer not null default 0,
  expires_at timestamptz not null
);
create index tickets_expired on tickets (expires_at);
create index tickets_of_user on tickets (user_id) where user_id is not null;

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
create index access_tokens_of_user on access_tokens (user_id, id desc);

-- An address that waits for its owner to follow the link that was mailed there. One per user: the last asked for.
create table email_changes (
  user_id    bigint primary key references users on delete cascade,
  email      text not null check (length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_changes_expired on email_changes (expires_at);
