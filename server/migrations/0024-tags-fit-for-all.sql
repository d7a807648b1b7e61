-- How many bookmarks of Explore that are fit for everyone bear a tag: who wants nothing else is suggested no other tags.
-- Counted by the clock (the job recount-tags), so it lags by minutes; null: not counted yet, listTags looks itself.
-- No index: listTags walks tags_prefix or tags_popular and leaves out what is 0.
alter table tags add column sfw_uses_count integer check (sfw_uses_count >= 0);
