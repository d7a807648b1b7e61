-- Filters and orders of lists (docs/decisions/0036-search-filters-and-orders.md).

-- Copies, like effective_orientation and lead_orientation: the bookmark's duration, otherwise the video's. Null: unknown.
alter table bookmarks add column effective_duration integer;
-- Of a visible bookmark: the effective_duration of the video's lead bookmark.
alter table bookmarks add column lead_duration integer;
alter type bookmark_state add attribute effective_duration integer;

alter table bookmarks disable trigger user;
update bookmarks b
   set effective_duration = coalesce(b.duration, v.duration),
       lead_duration = case when b.is_visible then coalesce(lead.duration, v.duration) end
  from videos v left join bookmarks lead on lead.id = v.lead_bookmark_id
 where v.id = b.video_id and coalesce(b.duration, v.duration, lead.duration) is not null;
alter table bookmarks enable trigger user;

-- What titles are ordered by: their beginning, without case, accents and punctuation. Depended on by an index, so it is
-- created once and never changes; declared immutable although unaccent() depends on a file that PostgreSQL ships.
create function title_sort_key(title text) returns text
language sql immutable strict parallel safe as $$
  select left(btrim(lower(public.unaccent('public.unaccent'::regdictionary,
           translate(title, $p$!"#$%&()*+,-./:;<=>?@[\]^_`{|}~«»“”„…–—·•¿¡'’$p$, '')))), 40) collate "C"
$$;

-- Explore by duration, longest or shortest first, and filtered by duration. -1: unknown.
create index bookmarks_listed_by_duration on bookmarks (coalesce(effective_duration, -1), id) where is_listed;
-- Searches filtered by duration.
create index bookmarks_visible_by_duration on bookmarks (coalesce(lead_duration, -1)) where is_visible;
-- Explore by title.
create index bookmarks_listed_by_title on bookmarks (title_sort_key(title), id) where is_listed;
-- Explore, most saved and most liked first.
create index videos_by_saves on videos (saves_count, lead_bookmark_id)
  where status = 'visible' and lead_bookmark_id is not null;
create index videos_by_likes on videos (likes_count, lead_bookmark_id)
  where status = 'visible' and lead_bookmark_id is not null;
-- `is:private`: what others do not see of the viewer's bookmarks, newest first.
create index bookmarks_private_of_user on bookmarks (user_id, created_at desc, id desc)
  where not is_public and deleted_at is null;
