-- Imported bookmarks whose pages a job requests to fill in what the file did not contain
-- (docs/decisions/0069-filling-in-imports.md).

create table metadata_requests (
  bookmark_id bigint primary key references bookmarks on delete cascade,
  -- Null for a bookmark that a subscription saved. Those requests are deleted when they are done.
  import_id bigint references imports on delete cascade,
  -- The site of the link. Requests to a site follow each other with a pause.
  host text not null check (length(host) between 1 and 255),
  state text not null default 'waiting' check (state in ('waiting', 'done')),
  attempts smallint not null default 0 check (attempts >= 0),
  -- The link that is the title of the bookmark because the file has none; null: the file has a title.
  link_title text,
  -- What was filled in. An undo of the import does not take it for a change by the user.
  filled_title text,
  filled_embed_url text,
  filled_thumbnail_source_url text
);
-- The next request to a site: those with the fewest attempts first.
create index metadata_requests_of_host on metadata_requests (host, attempts, bookmark_id) where state = 'waiting';
-- How many an import still waits for, the cascade, and those that are done and belong to no import.
create index metadata_requests_of_import on metadata_requests (import_id, state);

-- The sites with waiting requests.
create table metadata_hosts (
  host text primary key,
  -- In the future while a process requests a page of the site, and after each request.
  next_request_at timestamptz not null default now(),
  -- Requests that failed since the last success.
  failures smallint not null default 0 check (failures >= 0)
);
create index metadata_hosts_due on metadata_hosts (next_request_at);

-- Web addresses as a source of imports (docs/decisions/0070-web-addresses-as-sources.md). fetching: the address is being read.
alter table imports
  add column source_url text check (length(source_url) <= 4096),
  -- Why the address could not be read.
  add column failure text check (length(failure) <= 200),
  drop constraint imports_state_check,
  add constraint imports_state_check
    check (state in ('receiving', 'fetching', 'review', 'waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  add constraint imports_fetching_check check (state <> 'fetching' or source_url is not null);
drop index imports_unfinished;
create unique index imports_unfinished on imports (user_id)
  where state in ('fetching', 'review', 'waiting', 'running', 'undoing');
drop index imports_heartbeat;
create index imports_heartbeat on imports (heartbeat_at)
  where state in ('receiving', 'fetching', 'waiting', 'running', 'undoing');

-- Subscriptions to channels and feeds of other sites (docs/decisions/0070-web-addresses-as-sources.md).
create table subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  url text not null check (length(url) between 1 and 4096),
  -- The host of the address. Its subscriptions are checked one after the other.
  host text not null check (length(host) between 1 and 255),
  title text not null default '' check (length(title) <= 200),
  -- Where new videos are saved. Without a collection, because it was deleted, nothing is checked.
  collection_id bigint references collections on delete set null,
  channel_id bigint references channels on delete set null,
  access text not null default 'private' check (access in ('public', 'private')),
  created_at timestamptz not null default now(),
  paused_at timestamptz,
  -- Failed checks since the last success, and why the last one failed or a video could not be saved.
  failures smallint not null default 0 check (failures >= 0),
  problem text check (length(problem) <= 2000),
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  -- Counts the checks that were started, so that one that lost its claim changes nothing.
  checks integer not null default 0,
  saved_count integer not null default 0 check (saved_count >= 0),
  -- The feed that was found at the address, and what it sent to recognise that it did not change.
  feed_url text check (length(feed_url) <= 4096),
  etag text check (length(etag) <= 500),
  last_modified text check (length(last_modified) <= 500),
  -- Short names of the videos that were found before; null before the first check.
  seen text[]
);
-- One subscription per user and address, and the list of a user.
create unique index subscriptions_of_user on subscriptions (user_id, url_hash(url));
-- The job that checks them.
create index subscriptions_due on subscriptions (next_check_at) where paused_at is null and collection_id is not null;
-- When a collection or channel is deleted.
create index subscriptions_of_collection on subscriptions (collection_id) where collection_id is not null;
create index subscriptions_of_channel on subscriptions (channel_id) where channel_id is not null;
