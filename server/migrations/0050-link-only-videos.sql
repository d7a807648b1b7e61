-- Titles and pictures removed at the request of rights holders (docs/decisions/0077-rights-holders.md).

-- A moderator's ruling: the video has no picture, and its bookmarks have the host's name as title. Enforced by
-- set_bookmark_media() and video_link_only().
alter table videos add column is_link_only boolean not null default false;

-- The owner's title while the video is link-only. Nobody reads it; it applies again when the ruling is undone.
alter table bookmarks add column withheld_title text check (length(withheld_title) between 1 and 300);

alter table reports
  drop constraint reports_report_type_check,
  add constraint reports_report_type_check check (report_type in
    ('broken_source', 'broken_thumbnail', 'broken_embed', 'wrong_orientation', 'request_moderation', 'minors',
     'non_consensual', 'violence_or_hate', 'spam', 'copyright', 'title_and_picture', 'other'));

alter table moderation_decisions
  drop constraint moderation_decisions_action_check,
  add constraint moderation_decisions_action_check check (action in
    ('hide', 'show', 'remove', 'restore', 'set_orientation', 'remove_title_and_picture', 'warn', 'suspend', 'unsuspend',
     'ban', 'unban'));
