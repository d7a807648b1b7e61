-- Deletion of stored pictures (docs/decisions/0028-stored-pictures.md).

-- Media keys that a row stopped using. Inserted by queue_picture_deletion() in the transaction of the change; a job
-- deletes the pictures and then these rows.
create table picture_deletions (
  media_key text primary key
);

-- Videos that got their first or lost their last public bookmark, and bookmarks that stopped being public: their stored
-- pictures must change. Inserted by video_publicity_changed() and bookmark_picture_hidden(); a job does the work.
create table picture_syncs (
  target_kind text not null check (target_kind in ('video', 'bookmark')),
  target_id   bigint not null,
  primary key (target_kind, target_id)
);

-- Whether a stored picture is used: is_picture_used().
create index videos_thumbnail on videos (thumbnail_key) where thumbnail_key is not null;
create index videos_thumbnail_large on videos (thumbnail_large_key) where thumbnail_large_key is not null;
create index bookmarks_thumbnail on bookmarks (thumbnail_key) where thumbnail_key is not null;
create index bookmarks_thumbnail_large on bookmarks (thumbnail_large_key) where thumbnail_large_key is not null;

-- Until now the keys of thumbnails were computed from the picture. The job stores each under a new key.
insert into picture_syncs
select 'video', id from videos where thumbnail_key is not null
union all
select 'bookmark', id from bookmarks where thumbnail_key is not null;
