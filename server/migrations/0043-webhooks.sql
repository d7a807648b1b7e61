-- Webhooks: requests that the site sends to addresses of users (docs/decisions/0067-webhooks.md).

create table webhooks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  url text not null check (length(url) between 1 and 4096),
  events text[] not null
    check (cardinality(events) > 0 and events <@ '{bookmark.created,comment.created,report.created}'),
  -- Encrypted with the server key 'webhook', bound to the id of the user.
  secret bytea not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- Failed attempts since the last success; the next one is due at next_attempt_at.
  failures smallint not null default 0 check (failures >= 0),
  next_attempt_at timestamptz not null default now(),
  -- A process sends the events of this webhook until then.
  claimed_until timestamptz
);
create index webhooks_of_user on webhooks (user_id);
create index webhooks_of_reports on webhooks (user_id) where events @> '{report.created}' and disabled_at is null;

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null check (event in ('bookmark.created', 'comment.created', 'report.created', 'webhook.test')),
  -- What it is about. The payload is read when it is sent, so that nothing deleted stays here.
  bookmark_id bigint references bookmarks on delete cascade,
  comment_id bigint references comments on delete cascade,
  report_id bigint references reports on delete cascade,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'skipped')),
  attempts smallint not null default 0 check (attempts >= 0),
  attempted_at timestamptz,
  response_status smallint,
  error text,
  constraint webhook_deliveries_name_their_subject check (
    case event
      when 'bookmark.created' then bookmark_id is not null
      when 'comment.created' then comment_id is not null
      when 'report.created' then report_id is not null
      else num_nonnulls(bookmark_id, comment_id, report_id) = 0
    end)
);
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, id) where state = 'waiting';
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
-- The cascades.
create index webhook_deliveries_of_bookmark on webhook_deliveries (bookmark_id) where bookmark_id is not null;
create index webhook_deliveries_of_comment on webhook_deliveries (comment_id) where comment_id is not null;
create index webhook_deliveries_of_report on webhook_deliveries (report_id) where report_id is not null;
