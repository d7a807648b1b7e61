-- Imports are reviewed before they start, report each item, and can be undone (docs/decisions/0062-import-review.md).

alter table imports
  add column format text not null default 'Reelmark',
  add column is_own_format boolean not null default true,
  add column ignored_files integer not null default 0 check (ignored_files >= 0),
  -- How a file of another tool is read (detect-format.ts); null for our own format.
  add column detected json,
  -- What the file contains, and the columns of a CSV file, while it is in review (contract/imports.ts).
  add column summary json,
  add column columns json,
  -- What the user chose at the start.
  add column options json,
  -- Number of items of each outcome, and how many were reported so far.
  add column outcomes jsonb not null default '{}' check (jsonb_typeof(outcomes) = 'object'),
  add column reported integer not null default 0 check (reported >= 0);
update imports set outcomes = jsonb_build_object('new', added, 'known', duplicates, 'rejected', failed);
alter table imports
  drop column added,
  drop column duplicates,
  drop column failed,
  -- Replaced by the report, which earlier imports do not have.
  drop column problems,
  drop constraint imports_state_check,
  drop constraint imports_check,
  -- review: waits until the user starts or discards it. undoing: the job that undoes it waits or runs.
  add constraint imports_state_check
    check (state in ('receiving', 'review', 'waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  add constraint imports_finished_check
    check ((finished_at is not null) = (state in ('done', 'failed', 'undone'))),
  add constraint imports_review_check check (state <> 'review' or summary is not null);

-- At most one import per user that is in review or not finished: the 409.
drop index imports_unfinished;
create unique index imports_unfinished on imports (user_id)
  where state in ('review', 'waiting', 'running', 'undoing');
-- The jobs that resume interrupted imports and delete incomplete uploads.
drop index imports_heartbeat;
create index imports_heartbeat on imports (heartbeat_at)
  where state in ('receiving', 'waiting', 'running', 'undoing');
-- The job that deletes reviews that were not started.
create index imports_in_review on imports (created_at) where state = 'review';

-- The uploaded file of another tool in pieces, until its import is prepared or discarded.
create table import_files (
  import_id bigint not null references imports on delete cascade,
  number    integer not null,
  data      bytea not null,
  primary key (import_id, number)
);

-- The report, in batches: a row per item would make an import of 500,000 items slow to write and to delete.
create table import_reports (
  import_id bigint not null references imports on delete cascade,
  -- The position of its first item in the report, from 1.
  number    integer not null,
  -- The outcomes that occur in it, by which batches are found.
  outcomes  text[] not null,
  -- What became of each item (import-report.ts), and what an undo needs to find what it created.
  items     json not null,
  primary key (import_id, number)
);
