-- A 512th of the videos, for the count of a frequent word: in the 64th (bookmarks_search_sample), the entries of a frequent word
-- of ten million bookmarks are ten times as many as those of a million (docs/decisions/0107-smaller-sample.md).
create index bookmarks_search_small_sample on bookmarks
  using gin (search_vector, search_keys(lead_created_at, random_key, lead_orientation, created_at, search_vector))
  with (fastupdate = off) where is_visible and random_key < 0.001953125;
