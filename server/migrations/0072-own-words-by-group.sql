-- Words in own bookmarks are found among those of a group of users, and not of all (docs/decisions/0102-keys-of-searches.md).

-- The group of a user, one of 16 letters, which precedes the words of their bookmarks in the index of own bookmarks.
-- The indexes depend on this function and the next one, so that only a migration that builds them again may change them.
create function owner_group(user_id bigint) returns text
language plpgsql immutable strict parallel safe as $$
begin
  return chr(192 + (hashint8(user_id) & 15));
end $$;

-- The words of an own bookmark as its index contains them, without positions.
create function vault_lexemes(user_id bigint, search_vector tsvector, private_note text) returns tsvector
language plpgsql immutable parallel safe cost 10000 as $$
declare
  owner_group constant text := public.owner_group(user_id);
begin
  return array_to_tsvector(array(
    select owner_group || lexeme from unnest(tsvector_to_array(public.vault_words(search_vector, private_note))) lexeme));
end $$;

drop index bookmarks_vault;
drop index bookmarks_vault_sample;
create index bookmarks_vault on bookmarks
  using gin (
    vault_lexemes(user_id, search_vector, private_note),
    vault_cells(created_at, random_key, search_vector, private_note),
    vault_keys(user_id, collection_id, channel_id, deleted_at, is_public, tags, lacks_picture, lacks_player,
               effective_orientation, effective_duration))
  with (fastupdate = off);
create index bookmarks_vault_sample on bookmarks
  using gin (
    vault_lexemes(user_id, search_vector, private_note),
    vault_cells(created_at, random_key, search_vector, private_note),
    vault_keys(user_id, collection_id, channel_id, deleted_at, is_public, tags, lacks_picture, lacks_player,
               effective_orientation, effective_duration))
  with (fastupdate = off) where random_key < 0.015625;
