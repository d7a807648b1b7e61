-- Reports, decisions, appeals, content rules and the audit log (docs/decisions/0019-moderation.md).

-- Decisions about a video, comment or user that the affected users are notified of and may appeal.
create table moderation_decisions (
  id           bigint generated always as identity primary key,
  created_at   timestamptz not null default now(),
  action       text not null check (action in
    ('hide', 'show', 'remove', 'restore', 'set_orientation', 'warn', 'suspend', 'unsuspend', 'ban', 'unban')),
  target_kind  text not null check (target_kind in ('video', 'comment', 'user')),
  target_id    bigint not null,
  -- The comment's author, the sanctioned user, or the owner of a held bookmark. Null: everyone who saved the video.
  user_id      bigint references users on delete cascade,
  -- The video, or the one the comment is on: where the notification links to.
  video_id     bigint references videos on delete set null,
  -- The type of the report; null: nothing was reported.
  reason       text,
  -- Title or content at that time.
  title        text not null default '' check (length(title) <= 500),
  -- Shown to the affected users with the reason.
  statement    text not null default '' check (length(statement) <= 2000),
  -- Null: hidden by a report itself, or the moderator's account was deleted.
  moderator_id bigint references users on delete set null,
  -- The end of a suspension.
  until        timestamptz,
  -- When it was reversed, by a moderator or after an appeal.
  undone_at    timestamptz
);
-- The decisions about one target, latest first.
create index moderation_decisions_target on moderation_decisions (target_kind, target_id, id desc);
-- A user's moderation history; cascade from users.
create index moderation_decisions_user on moderation_decisions (user_id, id desc) where user_id is not null;
-- Cascades from videos and users.
create index moderation_decisions_video on moderation_decisions (video_id) where video_id is not null;
create index moderation_decisions_moderator on moderation_decisions (moderator_id) where moderator_id is not null;
-- The job that deletes removed content after 30 days.
create index moderation_decisions_removed on moderation_decisions (created_at)
  where action = 'remove' and undone_at is null;

create table reports (
  id          bigint generated always as identity primary key,
  -- Null: reported by a content rule, or the reporter's account was deleted.
  reporter_id bigint references users on delete set null,
  target_kind text not null check (target_kind in ('video', 'comment', 'user')),
  target_id   bigint not null,
  video_id    bigint references videos on delete cascade,
  bookmark_id bigint references bookmarks on delete set null,
  comment_id  bigint references comments on delete set null,
  -- The comment's author, the reported user, or the owner of the bookmark that was reported.
  user_id     bigint references users on delete set null,
  report_type text not null check (report_type in
    ('broken_source', 'broken_thumbnail', 'broken_embed', 'wrong_orientation', 'request_moderation', 'minors',
     'non_consensual', 'violence_or_hate', 'spam', 'copyright', 'other')),
  notes       text not null default '' check (length(notes) <= 2000),
  -- Title, content or username at the time of the report: it may be changed or deleted since.
  snapshot    text not null default '' check (length(snapshot) <= 1000),
  status      text not null default 'open' check (status in ('open', 'approved', 'rejected')),
  -- Whether the report itself hid its target.
  did_hide    boolean not null default false,
  -- What the reporter of a wrong orientation suggests, and what the moderator set.
  suggested_orientation text check (suggested_orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  orientation text check (orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  decision_id bigint references moderation_decisions on delete set null,
  decided_by  bigint references users on delete set null,
  decided_at  timestamptz,
  created_at  timestamptz not null default now(),
  check ((status = 'open') = (decided_at is null))
);
-- One open report per reporter and target: the 409 with its id.
create unique index reports_open on reports (reporter_id, target_kind, target_id) where status = 'open';
-- The moderators' list, oldest first.
create index reports_queue on reports (status, created_at, id);
-- The reports of one target.
create index reports_target on reports (target_kind, target_id, id);
-- A reporter's standing: how their last reports were decided.
create index reports_of_reporter on reports (reporter_id, decided_at desc) where reporter_id is not null;
-- How often a user was reported.
create index reports_user on reports (user_id, id desc) where user_id is not null;
-- Statistics: reports decided in a period.
create index reports_decided on reports (decided_at desc) where decided_at is not null;
-- Whether an open report names a bookmark; cascade from bookmarks.
create index reports_bookmark on reports (bookmark_id) where bookmark_id is not null;
-- Cascades from videos, comments, users and decisions.
create index reports_of_video on reports (video_id);
create index reports_comment on reports (comment_id) where comment_id is not null;
create index reports_decider on reports (decided_by) where decided_by is not null;
create index reports_decision on reports (decision_id) where decision_id is not null;

create table appeals (
  id          bigint generated always as identity primary key,
  decision_id bigint not null references moderation_decisions on delete cascade,
  user_id     bigint not null references users on delete cascade,
  text        text not null check (length(text) between 1 and 2000),
  status      text not null default 'open' check (status in ('open', 'granted', 'rejected')),
  answer      text not null default '' check (length(answer) <= 2000),
  decided_by  bigint references users on delete set null,
  decided_at  timestamptz,
  created_at  timestamptz not null default now(),
  check ((status = 'open') = (decided_at is null)),
  -- A user appeals a decision once.
  unique (decision_id, user_id)
);
-- The moderators' list, oldest first.
create index appeals_queue on appeals (status, created_at, id);
-- Cascades from users.
create index appeals_user on appeals (user_id);
create index appeals_decider on appeals (decided_by) where decided_by is not null;

-- Which moderator is looking at a case, so that two do not decide it at once.
create table moderation_claims (
  target_kind  text not null,
  target_id    bigint not null,
  moderator_id bigint not null references users on delete cascade,
  expires_at   timestamptz not null,
  primary key (target_kind, target_id)
);
-- Cascade from users.
create index moderation_claims_moderator on moderation_claims (moderator_id);

-- Links that cannot be saved again.
create table refused_links (
  canonical_hash bytea primary key check (length(canonical_hash) = 32),
  created_at     timestamptz not null default now()
);

-- Perceptual hashes of pictures of permanently removed videos. Similar pictures are hidden and reported.
create table refused_pictures (
  hash       bit(64) primary key,
  created_at timestamptz not null default now()
);

-- Moderators' rules that hold matching content for review, or refuse it.
create table content_rules (
  id         bigint generated always as identity primary key,
  kind       text not null check (kind in ('host', 'word', 'tag')),
  -- In the form it is compared in: a host name in ASCII, words in lower case without accents, a normalised tag.
  pattern    text not null check (length(pattern) between 1 and 253),
  effect     text not null check (effect in ('hold', 'refuse')),
  note       text not null default '' check (length(note) <= 2000),
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (kind, pattern)
);
-- Cascade from users.
create index content_rules_creator on content_rules (created_by) where created_by is not null;
-- Whether a process's cached rules are outdated.
create index content_rules_updated on content_rules (updated_at);

-- Every moderator action. Append-only: see audit_log_is_append_only().
create table audit_log (
  id          bigint generated always as identity primary key,
  created_at  timestamptz not null default now(),
  actor_id    bigint references users on delete set null,
  -- Stays when the account is deleted.
  actor_name  text not null,
  action      text not null,
  target_kind text not null check (target_kind in ('user', 'video', 'bookmark', 'comment', 'report', 'rule')),
  target_id   bigint not null,
  before      jsonb,
  after       jsonb,
  note        text not null default ''
);
-- The log, newest first.
create index audit_log_newest on audit_log (id desc);
-- The log filtered by target, by moderator and by action.
create index audit_log_target on audit_log (target_kind, target_id, id desc);
create index audit_log_actor on audit_log (actor_id, id desc) where actor_id is not null;
create index audit_log_action on audit_log (action, id desc);
