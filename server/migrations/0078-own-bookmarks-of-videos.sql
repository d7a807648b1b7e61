-- With the id, the own bookmarks of a video are always found in this index. Without it, PostgreSQL read all bookmarks of the user in
-- an index that has all columns of such a look-up, because it expects a user to have few: 3 ms for each video of a page of the
-- history of a user with 26,000.
drop index bookmarks_destination;
create unique index bookmarks_destination on bookmarks (user_id, video_id, collection_id, channel_id) include (id)
  nulls not distinct where deleted_at is null;
