-- Functions and triggers that queue work on stored pictures, whatever changes or deletes a row
-- (docs/decisions/0028-stored-pictures.md).

-- Whether a row uses a stored picture.
create or replace function is_picture_used(key text) returns boolean
language sql stable parallel safe as $$
  select exists (select from videos where thumbnail_key = key)
      or exists (select from videos where thumbnail_large_key = key)
      or exists (select from bookmarks where thumbnail_key = key)
      or exists (select from bookmarks where thumbnail_large_key = key)
      or exists (select from users where avatar_key = key)
$$;

-- Queues the deletion of pictures that a row stopped using. The arguments of the trigger name the columns with media keys.
create or replace function queue_picture_deletion() returns trigger
language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := case when tg_op = 'UPDATE' then to_jsonb(new) end;
begin
  insert into picture_deletions (media_key)
  select distinct before ->> name from unnest(tg_argv) name
   where before ->> name is not null and before ->> name is distinct from after ->> name
  on conflict do nothing;
  return null;
end $$;

create or replace trigger avatar_replaced after update of avatar_key on users
  for each row when (old.avatar_key is distinct from new.avatar_key)
  execute function queue_picture_deletion('avatar_key');
create or replace trigger avatar_deleted after delete on users
  for each row when (old.avatar_key is not null)
  execute function queue_picture_deletion('avatar_key');

create or replace trigger video_thumbnail_replaced after update of thumbnail_key, thumbnail_large_key on videos
  for each row when ((old.thumbnail_key, old.thumbnail_large_key)
                     is distinct from (new.thumbnail_key, new.thumbnail_large_key))
  execute function queue_picture_deletion('thumbnail_key', 'thumbnail_large_key');
create or replace trigger video_thumbnail_deleted after delete on videos
  for each row when (old.thumbnail_key is not null)
  execute function queue_picture_deletion('thumbnail_key', 'thumbnail_large_key');

create or replace trigger bookmark_thumbnail_replaced after update of thumbnail_key, thumbnail_large_key on bookmarks
  for each row when ((old.thumbnail_key, old.thumbnail_large_key)
                     is distinct from (new.thumbnail_key, new.thumbnail_large_key))
  execute function queue_picture_deletion('thumbnail_key', 'thumbnail_large_key');
create or replace trigger bookmark_thumbnail_deleted after delete on bookmarks
  for each row when (old.thumbnail_key is not null)
  execute function queue_picture_deletion('thumbnail_key', 'thumbnail_large_key');

-- A video's thumbnail exists while it has a public bookmark. Must be an AFTER trigger, as video_changed().
create or replace function video_publicity_changed() returns trigger
language plpgsql as $$
begin
  insert into picture_syncs values ('video', new.id) on conflict do nothing;
  return null;
end $$;

create or replace trigger video_stopped_being_public after update of saves_count on videos
  for each row when (old.saves_count > 0 and new.saves_count = 0 and new.thumbnail_state <> 'none')
  execute function video_publicity_changed();
create or replace trigger video_became_public after update of saves_count on videos
  for each row when (old.saves_count = 0 and new.saves_count > 0 and new.thumbnail_state = 'none'
                     and new.thumbnail_source_url is not null)
  execute function video_publicity_changed();

-- The addresses of a video's thumbnail were public, so they must stop working when the video is hidden or removed.
-- Owners and moderators, who still see it, get new ones. Must be an AFTER trigger, as video_changed().
create or replace trigger video_stopped_being_visible after update of status on videos
  for each row when (old.status = 'visible' and new.status <> 'visible' and new.thumbnail_key is not null)
  execute function video_publicity_changed();

-- The addresses of a bookmark's own thumbnail were public, so they must stop working when it is private or its video hidden.
create or replace function bookmark_picture_hidden() returns trigger
language plpgsql as $$
begin
  insert into picture_syncs values ('bookmark', new.id) on conflict do nothing;
  return null;
end $$;

create or replace trigger bookmark_picture_hidden after update on bookmarks
  for each row when ((old.is_visible and not new.is_visible or old.is_public and not new.is_public)
                     and new.thumbnail_key is not null)
  execute function bookmark_picture_hidden();
