-- E-mail addresses are confirmed through a mailed link, and unique among confirmed addresses only.

-- Since when the account has a confirmed address. Null: its address is not confirmed, and gets no mail except the one
-- with the link. A change to another confirmed address keeps the time. Existing accounts start unconfirmed, because
-- nothing recorded whether their owners ever received a mail.
alter table users add email_confirmed_at timestamptz;

-- Since when sign-in methods that existed at a password reset wait for their owner's decision. Null: none wait.
alter table users add sign_in_review_since timestamptz;

-- Sign-in methods linked before this time may be those of someone else, who created the account with the address of its
-- owner: the address was confirmed then, without a session of the account. A password reset removes them. Null: none.
alter table users add untrusted_methods_until timestamptz;

drop index users_email;
-- Login and password reset: the account with a confirmed address, regardless of case.
create unique index users_confirmed_email on users (lower(email)) where email_confirmed_at is not null;
-- Password reset: the newest account that has yet to confirm an address.
create index users_unconfirmed_email on users (lower(email), id) where email_confirmed_at is null;

-- Addresses that wait for confirmation, of new accounts and of changes. One per user: the last requested. Changes that
-- waited in the previous table expire within a day and have to be requested again.
drop table email_changes;
create table email_confirmations (
  user_id    bigint primary key references users on delete cascade,
  email      text not null check (length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  -- SHA-256 of the token, which is only in the mail.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- The job that deletes expired rows.
create index email_confirmations_expired on email_confirmations (expires_at);

-- When security mails were sent, to limit their number per kind and day. A row is updated in one statement, so that
-- concurrent mails are counted.
create table sent_mails (
  -- The SHA-256 of the lower-case recipient address; or the id of the user who entered the address ('user 12').
  counted_by   text not null,
  kind         text not null,
  -- The times within the last day, oldest first.
  sent_at      timestamptz[] not null,
  last_sent_at timestamptz not null default now(),
  primary key (counted_by, kind)
);
-- The job that deletes rows after a day.
create index sent_mails_last on sent_mails (last_sent_at);
