-- Whoever is banned shows nothing: what they keep is not public any more. Their comments stay, as nobody's.

-- As in 0003, and the owner is not banned.
create or replace function bookmark_copies() returns trigger
language plpgsql as $$
declare
  place_is_open boolean;
  video record;
begin
  -- The locks make this true until the transaction ends: neither can be changed meanwhile. The owner may be banned or
  -- let in again, but that settles their bookmarks afterwards (features/moderation/people.ts).
  select access = 'public' into place_is_open from collections where id = new.collection_id for no key update;
  select status, orientation, lead_bookmark_id into video from videos where id = new.video_id for no key update;
  new.orientation := coalesce(video.orientation, 'sfw');
  new.is_public := new.access = 'public' and place_is_open and new.deleted_at is null
    and (select banned_at is null from users where id = new.user_id);
  new.is_visible := new.is_public and video.status = 'visible';
  -- A new row has the highest id: it leads only where nothing does. bookmarks_changed() settles the rest.
  new.is_listed := new.is_visible and (video.lead_bookmark_id is null or video.lead_bookmark_id = new.id);
  return new;
end $$;

-- The log is of block rules too.
alter table audit_log
  drop constraint audit_log_target_kind_check,
  add check (target_kind in ('user', 'video', 'bookmark', 'comment', 'report', 'rule'));
create index audit_log_action on audit_log (action, id desc);

-- Moderators look for the banned and the suspended.
create index users_banned on users (banned_at desc) where banned_at is not null;
create index users_suspended on users (suspended_until desc) where suspended_until is not null;
create index users_moderators on users (id) where is_moderator;
-- Users by the beginning of their name.
create index users_username_prefix on users (lower(username) text_pattern_ops);
-- How long decisions took.
create index reports_decided on reports (decided_at desc) where decided_at is not null;
