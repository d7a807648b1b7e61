-- Reports, and the log of what was done about them.

create table reports (
  id          bigint generated always as identity primary key,
  -- Null once the reporter's account is gone; the report stays.
  reporter_id bigint references users on delete set null,
  video_id    bigint not null references videos on delete cascade,
  bookmark_id bigint references bookmarks on delete set null,
  report_type text not null
    check (report_type in
      ('broken_source', 'broken_thumbnail', 'broken_embed', 'wrong_orientation', 'request_moderation')),
  notes       text not null default '' check (length(notes) <= 2000),
  status      text not null default 'open' check (status in ('open', 'approved', 'rejected')),
  -- Whether it hid the video when it was made: by the reporter's standing then.
  hid_video   boolean not null default false,
  -- What an approved wrong_orientation set.
  orientation text check (orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  decided_by  bigint references users on delete set null,
  decided_at  timestamptz,
  created_at  timestamptz not null default now(),
  check ((status = 'open') = (decided_at is null))
);
-- One open report per user and video: the 409 with its id.
create unique index reports_open on reports (reporter_id, video_id) where status = 'open';
-- The queue, oldest first.
create index reports_queue on reports (status, created_at, id);
create index reports_of_video on reports (video_id);
-- A reporter's standing: how the last ones were decided.
create index reports_of_reporter on reports (reporter_id, decided_at desc) where reporter_id is not null;
create index reports_bookmark on reports (bookmark_id) where bookmark_id is not null;

create table audit_log (
  id          bigint generated always as identity primary key,
  created_at  timestamptz not null default now(),
  actor_id    bigint references users on delete set null,
  -- The name outlives the account.
  actor_name  text not null,
  action      text not null,
  target_kind text not null check (target_kind in ('user', 'video', 'bookmark', 'comment', 'report')),
  target_id   bigint not null,
  before      jsonb,
  after       jsonb,
  note        text not null default ''
);
create index audit_log_newest on audit_log (id desc);
create index audit_log_target on audit_log (target_kind, target_id, id desc);
create index audit_log_actor on audit_log (actor_id, id desc) where actor_id is not null;

create function audit_log_is_append_only() returns trigger
language plpgsql as $$
begin
  -- The one change allowed: the foreign key letting go of a deleted account.
  if tg_op = 'UPDATE' and new.actor_id is null
     and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id' then
    return new;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create trigger audit_log_is_not_truncated before truncate on audit_log
  for each statement execute function audit_log_is_append_only();
