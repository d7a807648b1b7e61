-- The words of a random 64th part of the videos, to learn whether a search finds many and to estimate how many. In the index
-- of all words, each match of a sample is in another page, so that a common word was read as a whole.
create index bookmarks_search_sample on bookmarks
  using gin (search_vector, search_keys(lead_created_at, random_key, lead_orientation, created_at, search_vector))
  with (fastupdate = off) where is_visible and random_key < 0.015625;
