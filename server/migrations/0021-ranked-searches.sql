-- Searches by relevance (docs/decisions/0040-ranked-searches.md).

-- The most saved bookmarks of the site, which a job selects. Searches by relevance also rank old ones among them.
create table popular_bookmarks (
  bookmark_id   bigint primary key references bookmarks on delete cascade,
  saves_count   integer not null,
  search_vector tsvector not null
);
create index popular_bookmarks_search on popular_bookmarks using gin (search_vector) with (fastupdate = off);

-- The hash of two adjacent words, as a key of the index of searches: 16,384 different ones, so that the index stays small.
-- The index depends on it, so it is created once and never changes.
create function word_pair_key(first_word text, second_word text) returns integer
language sql immutable strict parallel safe as $$
  select (17 << 20) + (hashtext(first_word || ' ' || second_word) & 16383)
$$;

drop index bookmarks_search;
drop function search_keys(timestamptz, double precision, text);

-- The keys that a bookmark has in the index of searches. Slices: the six hours, two days, 16 days and so on of its lead's
-- time, four cells of the random order, its lead's orientation, and the cells of its own time.
-- server/features/listing/search-slices.ts computes the same keys. Phrases: the pairs of adjacent words.
-- The index depends on it, so it is created once and never changes. PL/pgSQL, because PostgreSQL would repeat the text of
-- an SQL function in each plan.
create function search_keys(
  lead_created_at timestamptz, random_key double precision, lead_orientation text, created_at timestamptz, words tsvector
) returns integer[]
language plpgsql immutable parallel safe cost 10000 as $$
declare
  lead_cell integer := least(greatest(
    floor(date_part('epoch', lead_created_at - timestamptz '1970-01-01 00:00:00+00') / 21600), 0), 1048575);
  own_cell integer := least(greatest(
    floor(date_part('epoch', created_at - timestamptz '1970-01-01 00:00:00+00') / 21600), 0), 1048575);
  random_cell integer := least(floor(random_key * 4096), 4095);
begin
  return array[
    lead_cell, (1 << 20) + (lead_cell >> 3), (2 << 20) + (lead_cell >> 6), (3 << 20) + (lead_cell >> 9),
    (4 << 20) + (lead_cell >> 12), (5 << 20) + (lead_cell >> 15),
    (6 << 20) + random_cell, (7 << 20) + (random_cell >> 3), (8 << 20) + (random_cell >> 6),
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
  with (fastupdate = off)
  where is_visible;
