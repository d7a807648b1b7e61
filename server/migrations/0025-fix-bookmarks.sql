-- Uploaded pictures, private notes and later attempts to fetch a picture (docs/decisions/0046-fix-bookmarks.md).

alter table bookmarks
  -- Only the owner reads it. Not in the search vector, which everyone's searches use.
  add column private_note text not null default '' check (length(private_note) <= 5000),
  -- True: the stored thumbnail is a file of the owner, so that nothing else can restore it.
  add column thumbnail_is_uploaded boolean not null default false,
  -- How often fetching the thumbnail failed, and when it is tried again. Null: given up, or not failed.
  add column thumbnail_failures smallint not null default 0,
  add column thumbnail_retry_at timestamptz;

alter table videos
  add column thumbnail_failures smallint not null default 0,
  add column thumbnail_retry_at timestamptz;

-- The job that fetches failed thumbnails again.
create index videos_thumbnail_retry on videos (thumbnail_retry_at) where thumbnail_retry_at is not null;
create index bookmarks_thumbnail_retry on bookmarks (thumbnail_retry_at) where thumbnail_retry_at is not null;
