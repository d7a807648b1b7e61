-- The keys of searches are computed a tenth faster without removing repeated pairs of words, which an index does itself. Indexes
-- with these keys remain as they are (docs/decisions/0109-generating-large-sites.md).

create or replace function search_keys(lead_created_at timestamp with time zone, random_key double precision, lead_orientation text, created_at timestamp with time zone, words tsvector) returns integer[]
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
      select public.word_pair_key(one.lexeme, next.lexeme)
        from positions one join positions next on next.position = one.position + 1);
end $$;

create or replace function vault_cells(created_at timestamp with time zone, random_key double precision, search_vector tsvector, private_note text) returns integer[]
language plpgsql immutable parallel safe cost 10000 as $$
declare
  random_cell integer := least(floor(random_key * 4096), 4095);
  own_cell integer := least(greatest(
    floor(date_part('epoch', created_at - timestamptz '1970-01-01 00:00:00+00') / 21600), 0), 1048575);
begin
  return array[
    (6 << 20) + random_cell, (7 << 20) + (random_cell >> 3), (8 << 20) + (random_cell >> 6),
    (9 << 20) + (random_cell >> 9),
    (11 << 20) + own_cell, (12 << 20) + (own_cell >> 3), (13 << 20) + (own_cell >> 6),
    (14 << 20) + (own_cell >> 9), (15 << 20) + (own_cell >> 12), (16 << 20) + (own_cell >> 15)]
    || array(
      with positions as materialized (
        select lexeme, unnest(positions) as position from unnest(public.vault_words(search_vector, private_note)))
      select public.word_pair_key(one.lexeme, next.lexeme)
        from positions one join positions next on next.position = one.position + 1);
end $$;
