-- Page numbers and filters of long lists (docs/decisions/0042-page-numbers.md).

-- Where pages of long lists start, so that a page number reads few rows before the page. Jobs replace them hourly or daily.
create table page_anchors (
  -- 'explore', or a kind of long_lists with its id.
  kind        text not null,
  id          bigint not null,
  -- 'all' for any.
  orientation text not null,
  sort        text not null,
  -- The number of rows of the list up to this one, which is included.
  position    bigint not null,
  -- The row, as in a cursor.
  segment     smallint not null,
  key         text not null,
  row_id      bigint not null,
  primary key (kind, id, orientation, sort, position)
);

-- Lists filtered by duration or date read these indexes alone: also to count up to 10,000 of Explore.
drop index bookmarks_listed;
create index bookmarks_listed on bookmarks (created_at desc, id desc) include (effective_duration, effective_orientation)
  where is_listed;
drop index bookmarks_listed_by_duration;
create index bookmarks_listed_by_duration on bookmarks (coalesce(effective_duration, -1), id)
  include (effective_duration, effective_orientation, created_at) where is_listed;

-- In the collation that cursors are compared in, so that a page starts in the index at its cursor.
drop index bookmarks_listed_by_title;
create index bookmarks_listed_by_title on bookmarks ((title_sort_key(title) collate "C"), id) where is_listed;

-- Lists of likes: whether a video is visible, and its lead, without reading videos or bookmarks.
create index videos_visible on videos (id) include (lead_bookmark_id)
  where status = 'visible' and lead_bookmark_id is not null;

-- Searches of an orientation read the index of words, and nothing else used it.
drop index bookmarks_visible_of_orientation;
