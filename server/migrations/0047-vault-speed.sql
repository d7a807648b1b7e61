-- Orders of lists, secret links, WebSub and imports (docs/decisions/0073-vault-speed-and-defects.md).

-- The bookmarks of a user, and of a collection, by title. Those that are not visible to others are skipped in the index.
drop index bookmarks_of_user_by_title;
create index bookmarks_of_user_by_title on bookmarks (user_id, (title_sort_key(title) collate "C"), id, is_visible)
  where deleted_at is null;
drop index bookmarks_of_collection_by_title;
create index bookmarks_of_collection_by_title on bookmarks (collection_id, (title_sort_key(title) collate "C"), id, is_visible);

-- Secret links count the bookmarks that they show in the index of the collection, without those that are held or of a video that
-- is under review or removed, of which there are few.
drop index bookmarks_of_collection;
create index bookmarks_of_collection on bookmarks (collection_id, created_at desc, id desc)
  include (user_id, deleted_at, is_visible, video_id, effective_orientation, access);
create index bookmarks_held on bookmarks (id) where hold_reason is not null;
create index videos_not_shown on videos (id) where status <> 'visible';

-- Attempts to announce the next bookmarks that failed.
alter table announced_feeds add column failed_attempts smallint not null default 0 check (failed_attempts >= 0);

-- How many of the imported items are bookmarks.
update imports i
   set outcomes = i.outcomes || jsonb_build_object('videos', (
         select count(*) from import_reports r cross join lateral json_array_elements(r.items) e (item)
          where r.import_id = i.id and e.item ->> 'kind' = 'bookmark' and e.item ->> 'outcome' in ('new', 'changed', 'held')))
 where i.reported > 0;
