-- Links of videos that are gone, replaced for everyone who saved them (docs/decisions/0090-replaced-links.md).

alter table reports
  drop constraint reports_report_type_check,
  add constraint reports_report_type_check check (report_type in
    ('broken_source', 'broken_thumbnail', 'broken_embed', 'wrong_orientation', 'request_moderation', 'minors',
     'non_consensual', 'violence_or_hate', 'spam', 'copyright', 'title_and_picture', 'replace_link', 'other'));

alter table moderation_decisions
  drop constraint moderation_decisions_action_check,
  add constraint moderation_decisions_action_check check (action in
    ('hide', 'show', 'remove', 'restore', 'set_orientation', 'remove_title_and_picture', 'replace_link', 'warn',
     'suspend', 'unsuspend', 'ban', 'unban'));

alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('follow', 'collection_follow', 'own_video_bookmarked', 'own_video_liked', 'reply', 'comment', 'mention',
     'link_proposed', 'link_replaced', 'report_decided', 'moderation'));

-- The link that a report of the type replace_link proposes. Once it is agreed on, a job moves the bookmarks. Deleted when
-- nobody can return to the old video any more.
create table link_replacements (
  id bigint primary key generated always as identity,
  report_id bigint not null unique references reports on delete cascade,
  -- The video that is gone. It stays without bookmarks while this row exists.
  video_id bigint not null references videos on delete cascade,
  source_url text not null check (length(source_url) between 1 and 4096),
  -- As the page of the link names the video.
  title text not null check (length(title) <= 300),
  -- What else the page contains: `Facts` in server/features/bookmarks/facts.ts.
  facts jsonb not null,
  agreed_at timestamptz,
  -- The video of the new link, from the first bookmark that is moved.
  survivor_id bigint references videos on delete cascade,
  -- When nothing was left to move.
  moved_at timestamptz,
  -- When a moderator undid it. The job moves the bookmarks back.
  undone_at timestamptz
);
create index link_replacements_of_video on link_replacements (video_id);
create index link_replacements_of_survivor on link_replacements (survivor_id) where survivor_id is not null;
-- What the job works on.
create index link_replacements_agreed on link_replacements (agreed_at) where agreed_at is not null;

-- Bookmarks that were moved, with what belonged to the old link, so that their owners can return to it.
create table replaced_bookmarks (
  bookmark_id bigint primary key references bookmarks on delete cascade,
  replacement_id bigint not null references link_replacements on delete cascade,
  embed_url text,
  start_seconds integer,
  uploader_name text,
  uploader_url text,
  -- When the owner returned to the old link.
  declined_at timestamptz
);
create index replaced_bookmarks_of_replacement on replaced_bookmarks (replacement_id, bookmark_id);
