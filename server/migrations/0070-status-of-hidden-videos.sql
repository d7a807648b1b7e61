-- Lists of own bookmarks look up the videos of those that are not visible, of which most are private. The index of the few videos under
-- review or removed also contains their status, so that each lookup reads this small index only.
drop index videos_not_shown;
create index videos_not_shown on videos (id) include (status) where status <> 'visible';
