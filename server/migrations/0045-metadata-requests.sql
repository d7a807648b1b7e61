-- Imported bookmarks whose pages a job requests to fill in what the file did not contain
-- (docs/decisions/0069-filling-in-imports.md).

create table metadata_requests (
  bookmark_id bigint primary key references bookmarks on delete cascade,
  import_id bigint not null references imports on delete cascade,
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
-- How many an import still waits for, and the cascade.
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
