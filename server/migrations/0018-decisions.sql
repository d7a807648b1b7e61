-- Reports of comments and people too, what was decided, who is told of it and may appeal, and what is refused for good.
-- What follows from it: docs/decisions/0024-moderation.md.

-- Hidden and removed comments are not counted and not shown; what replies to them goes with them.
alter table comments add column status text not null default 'visible' check (status in ('visible', 'hidden', 'removed'));

create function comment_shown_or_not() returns trigger
language plpgsql as $$
declare
  step integer := case when new.status = 'visible' then 1 else -1 end;
begin
  if new.parent_id is null then
    update videos set comments_count = comments_count + step where id = new.video_id;
  else
    update comments set replies_count = replies_count + step where id = new.parent_id;
  end if;
  return null;
end $$;
create trigger comment_shown_or_not after update of status on comments
  for each row when ((old.status = 'visible') <> (new.status = 'visible')) execute function comment_shown_or_not();

-- As before, of the visible.
create or replace function comments_changed() returns trigger
language plpgsql as $$
begin
  perform from videos where id in (select video_id from rows where depth = 0) order by id for no key update;
  update videos set comments_count = comments_count + tg_argv[0]::int * moved.by
    from (select video_id, count(*) as by from rows where depth = 0 and status = 'visible' group by video_id) moved
   where id = moved.video_id;
  perform from comments where id in (select parent_id from rows) order by id for no key update;
  update comments set replies_count = replies_count + tg_argv[0]::int * moved.by
    from (select parent_id, count(*) as by from rows where depth = 1 and status = 'visible' group by parent_id) moved
   where id = moved.parent_id;
  return null;
end $$;

-- Reads and changes nothing but their own account until then.
alter table users add column suspended_until timestamptz;

-- What was done about a video, a comment or a person that somebody is told of, and may appeal against.
create table decisions (
  id           bigint generated always as identity primary key,
  created_at   timestamptz not null default now(),
  action       text not null check (action in
    ('hide', 'show', 'remove', 'restore', 'set_orientation', 'warn', 'suspend', 'unsuspend', 'ban', 'unban')),
  target_kind  text not null check (target_kind in ('video', 'comment', 'user')),
  target_id    bigint not null,
  -- Whose it is: of a comment, or the person themselves. Null: of everyone who keeps the video.
  user_id      bigint references users on delete cascade,
  -- The video, or the one that the comment is on; for the notification to lead to.
  video_id     bigint references videos on delete set null,
  -- What was reported (a report's type); null: nothing was.
  reason       text,
  -- What was called so, or said, then.
  title        text not null default '' check (length(title) <= 500),
  -- What whoever is told reads beside the reason.
  statement    text not null default '' check (length(statement) <= 2000),
  -- Null: done by a report itself, or whoever did it is gone.
  moderator_id bigint references users on delete set null,
  -- Of a suspension.
  until        timestamptz,
  -- Restored, or taken back after an appeal.
  undone_at    timestamptz
);
-- What was done about one thing, the latest first.
create index decisions_target on decisions (target_kind, target_id, id desc);
-- Somebody's history; cascades.
create index decisions_user on decisions (user_id, id desc) where user_id is not null;
create index decisions_video on decisions (video_id) where video_id is not null;
create index decisions_moderator on decisions (moderator_id) where moderator_id is not null;
-- The daily removal of what was removed thirty days ago.
create index decisions_removed on decisions (created_at) where action = 'remove' and undone_at is null;

create table appeals (
  id          bigint generated always as identity primary key,
  decision_id bigint not null references decisions on delete cascade,
  user_id     bigint not null references users on delete cascade,
  text        text not null check (length(text) between 1 and 2000),
  status      text not null default 'open' check (status in ('open', 'granted', 'rejected')),
  answer      text not null default '' check (length(answer) <= 2000),
  decided_by  bigint references users on delete set null,
  decided_at  timestamptz,
  created_at  timestamptz not null default now(),
  check ((status = 'open') = (decided_at is null)),
  -- Once.
  unique (decision_id, user_id)
);
create index appeals_queue on appeals (status, created_at, id);
-- Cascades.
create index appeals_user on appeals (user_id);
create index appeals_decider on appeals (decided_by) where decided_by is not null;

-- A report is of a video, of a comment or of a person.
alter table reports
  alter column video_id drop not null,
  add column target_kind text not null default 'video' check (target_kind in ('video', 'comment', 'user')),
  add column target_id bigint,
  add column comment_id bigint references comments on delete set null,
  -- Whose it is: the comment's author, the person, or the owner of the bookmark that was looked at.
  add column user_id bigint references users on delete set null,
  -- What was called so, or said, when it was reported: it may be changed or deleted since.
  add column snapshot text not null default '' check (length(snapshot) <= 1000),
  add column decision_id bigint references decisions on delete set null,
  -- What the reporter thinks right; `orientation` is what was set.
  add column suggested_orientation text check (suggested_orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  drop constraint reports_report_type_check,
  add check (report_type in
    ('broken_source', 'broken_thumbnail', 'broken_embed', 'wrong_orientation', 'request_moderation', 'minors',
     'non_consensual', 'violence_or_hate', 'spam', 'copyright', 'other'));
-- Comments are hidden too.
alter table reports rename column hid_video to hid;
update reports set target_id = video_id;
alter table reports alter column target_id set not null, alter column target_kind drop default;
-- One open report per person and thing: the 409 with its id.
drop index reports_open;
create unique index reports_open on reports (reporter_id, target_kind, target_id) where status = 'open';
-- The queue: what is open of one thing.
create index reports_target on reports (target_kind, target_id, id);
-- Who is reported how often.
create index reports_user on reports (user_id, id desc) where user_id is not null;
-- Cascades.
create index reports_comment on reports (comment_id) where comment_id is not null;
create index reports_decision on reports (decision_id) where decision_id is not null;

-- Who looks at what at the moment, so that two do not.
create table claims (
  target_kind  text not null,
  target_id    bigint not null,
  moderator_id bigint not null references users on delete cascade,
  expires_at   timestamptz not null,
  primary key (target_kind, target_id)
);
create index claims_moderator on claims (moderator_id);

-- Videos that nobody can save again.
create table refused_links (
  canonical_hash bytea primary key check (length(canonical_hash) = 32),
  created_at     timestamptz not null default now()
);

-- Two more kinds of notification: what became of one's report, and what was done to one's own.
alter table notifications
  -- Of what was done to one's own, and of one's report.
  add column decision_id bigint references decisions on delete cascade,
  add column report_id bigint references reports on delete cascade,
  drop constraint notifications_kind_check,
  drop constraint notifications_check,
  add check (kind in ('follow', 'own_video_bookmarked', 'own_video_liked', 'reply', 'report_decided', 'moderation')),
  add check ((decision_id is not null) = (kind = 'moderation')),
  add check ((report_id is not null) = (kind = 'report_decided')),
  add check ((video_id is null) = (kind in ('follow', 'report_decided', 'moderation')));
drop index notifications_unread;
create unique index notifications_unread on notifications (user_id, kind, video_id, comment_id, decision_id, report_id)
  nulls not distinct where read_at is null;
-- Cascades; and who was told of a decision.
create index notifications_decision on notifications (decision_id, user_id) where decision_id is not null;
create index notifications_report on notifications (report_id) where report_id is not null;
