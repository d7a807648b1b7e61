-- Searches of a site with ten million bookmarks read slices and samples of an eighth of the size: the smallest slice of six hours
-- contained 2,000 bookmarks of a site that gets 9,000 a day (docs/decisions/0102-keys-of-searches.md). The keys of the larger cells
-- are those of before; the new ones have numbers above them.

drop index bookmarks_search;
drop index bookmarks_search_sample;

-- The keys that a bookmark has in the index of searches. Slices: the 45 minutes, six hours, two days, 16 days and so on of its lead's
-- time, five cells of the random order, its lead's orientation, and the cells of its own time.
-- server/features/listing/search-slices.ts computes the same keys. Phrases: the pairs of adjacent words.
-- The indexes depend on it, so that only a migration that builds them again may change it. PL/pgSQL, because PostgreSQL would repeat
-- the text of an SQL function in each plan.
create or replace function search_keys(
  lead_created_at timestamptz, random_key double precision, lead_orientation text, created_at timestamptz, words tsvector
) returns integer[]
language plpgsql immutable parallel safe cost 10000 as $$
declare
  -- The cells of 45 minutes: as many as eight times the largest number of a cell of six hours.
  lead_part integer := least(greatest(
    floor(date_part('epoch', lead_created_at - timestamptz '1970-01-01 00:00:00+00') / 2700), 0), 8388607);
  lead_cell integer := lead_part >> 3;
  own_cell integer := least(greatest(
    floor(date_part('epoch', created_at - timestamptz '1970-01-01 00:00:00+00') / 21600), 0), 1048575);
  random_part integer := least(floor(random_key * 32768), 32767);
  random_cell integer := random_part >> 3;
begin
  return array[
    (19 << 20) + lead_part, lead_cell, (1 << 20) + (lead_cell >> 3), (2 << 20) + (lead_cell >> 6), (3 << 20) + (lead_cell >> 9),
    (4 << 20) + (lead_cell >> 12), (5 << 20) + (lead_cell >> 15),
    (18 << 20) + random_part, (6 << 20) + random_cell, (7 << 20) + (random_cell >> 3), (8 << 20) + (random_cell >> 6),
    (9 << 20) + (random_cell >> 9),
    (10 << 20) + array_position(array['sfw', 'straight', 'gay', 'bi', 'trans'], lead_orientation),
    (11 << 20) + own_cell, (12 << 20) + (own_cell >> 3), (13 << 20) + (own_cell >> 6),
    (14 << 20) + (own_cell >> 9), (15 << 20) + (own_cell >> 12), (16 << 20) + (own_cell >> 15)]
    || array(
      with positions as materialized (select lexeme, unnest(positions) as position from unnest(words))
      select distinct public.word_pair_key(one.lexeme, next.lexeme)
        from positions one join positions next on next.position = one.position + 1);
end $$;

create index bookmarks_search on bookmarks
  using gin (search_vector, search_keys(lead_created_at, random_key, lead_orientation, created_at, search_vector))
  with (fastupdate = off) where is_visible;
create index bookmarks_search_sample on bookmarks
  using gin (search_vector, search_keys(lead_created_at, random_key, lead_orientation, created_at, search_vector))
  with (fastupdate = off) where is_visible and random_key < 0.015625;
