-- The videos that several users saved, by saves: a user's own bookmarks by saves begin with those of the most saved videos
-- (docs/decisions/0089-own-bookmarks-by-saves.md). Unlike videos_by_saves, it contains videos under review. New videos are not in it.
create index videos_most_saved on videos (saves_count, id) where saves_count > 1;
