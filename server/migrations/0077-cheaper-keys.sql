-- The keys of two kinds of indexes are computed in less time, with the same results. Indexes with these keys remain as they are
-- (docs/decisions/0110-cheaper-keys.md).

-- A function in SQL that calls a stable function, such as extract(), is not inlined, and starts the executor for each row.
create or replace function time_order_key(at timestamp with time zone, id bigint) returns text
language plpgsql immutable parallel safe as $$
begin
  return 'M' || lpad(to_hex(36028797018963967 - (extract(epoch from at) * 1000000)::bigint), 14, '0')
             || lpad(to_hex(9007199254740991 - id), 14, '0') || '8';
end $$;

create or replace function vault_lexemes(user_id bigint, search_vector tsvector, private_note text) returns tsvector
language plpgsql immutable parallel safe cost 10000 as $$
declare
  owner_group constant text := public.owner_group(user_id);
  lexemes constant text[] := tsvector_to_array(public.vault_words(search_vector, private_note));
  -- One text is split faster than a query returns rows.
  grouped constant text[] := string_to_array(owner_group || array_to_string(lexemes, chr(1) || owner_group), chr(1));
begin
  -- They differ without lexemes, and with a lexeme that contains the separator.
  if cardinality(grouped) = cardinality(lexemes) then
    return array_to_tsvector(grouped);
  end if;
  return array_to_tsvector(array(select owner_group || lexeme from unnest(lexemes) lexeme));
end $$;
