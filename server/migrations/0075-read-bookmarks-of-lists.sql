-- The user has seen the bookmarks of the collection or channel up to this time; see follows.bookmarks_seen_at. What was saved
-- before followed lists notified does not notify.
alter table followed_lists add column bookmarks_seen_at timestamptz;
update followed_lists set bookmarks_seen_at = now() where tag is null;
