-- Uploaders of videos: their channels at the hosts, as the hosts name them (docs/decisions/0081-uploaders.md).

alter table videos
  add column uploader_name text check (length(uploader_name) between 1 and 100),
  add column uploader_url text check (uploader_url ~ '^https://' and length(uploader_url) <= 2048),
  -- A moderator removed the uploader. Enforced by set_bookmark_media() and video_uploader_changed().
  add column is_uploader_removed boolean not null default false;

alter table bookmarks
  add column uploader_name text check (length(uploader_name) between 1 and 100),
  add column uploader_url text check (uploader_url ~ '^https://' and length(uploader_url) <= 2048);

alter table extractions
  add column uploader_name text check (length(uploader_name) <= 100),
  add column uploader_url text check (length(uploader_url) <= 2048);

-- The name by which uploaders are compared: without case, accents, quotes and repeated spaces.
create function uploader_key(name text) returns text
language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, replace(name, '"', ''))), '\s+', ' ', 'g')) collate "C"
$$;

-- Suggestions: the names with a beginning.
create index videos_by_uploader on videos (uploader_key(uploader_name)) where uploader_name is not null;

-- search.sql defines it with the uploader. A new database has none yet.
drop function if exists bookmark_search_vector(text, text, text[], text, text, text);
