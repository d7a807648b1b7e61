-- Videos with many bookmarks that got another uploader. A job updates their bookmarks in batches, because a statement may take only
-- 4 seconds (docs/decisions/0081-uploaders.md).
create table uploader_syncs (
  video_id bigint primary key references videos on delete cascade,
  -- Bookmarks up to this id are up to date.
  last_bookmark_id bigint not null default 0
);
