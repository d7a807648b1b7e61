-- Searches of own bookmarks, and titles of collections (docs/decisions/0066-speed-of-own-searches.md).

-- The own bookmarks of a random 64th part of the videos, as bookmarks_search_sample for public searches: to learn whether a search
-- or filter finds many, and to estimate how many.
create index bookmarks_vault_sample on bookmarks
  using gin (
    vault_words(search_vector, private_note),
    vault_cells(created_at, random_key, search_vector, private_note),
    vault_keys(user_id, collection_id, channel_id, deleted_at, is_public, tags, lacks_picture, lacks_player,
               effective_orientation, effective_duration))
  with (fastupdate = off) where random_key < 0.015625;

-- A collection in the order by title, as its secret link shows it.
create index bookmarks_of_collection_by_title on bookmarks (collection_id, (title_sort_key(title) collate "C"), id);

-- The saves of videos, by which lists of bookmarks are ordered, and whether a video was removed, for own bookmarks that are not
-- visible to others.
drop index videos_saves;
create index videos_saves on videos (id) include (saves_count, status);
