-- The indexes of own bookmarks contain more of what lists are filtered by (docs/decisions/0103-rows-to-read.md).

-- As in migration 0027, with 128 instead of 64 keys for each user, and additionally an eighth of the durations with the same number
-- of binary digits, from 64 seconds to 4.5 hours: a limit such as 100 minutes then reads few bookmarks that are shorter.
-- server/features/listing/vault-keys.ts computes the same keys.
create or replace function vault_keys(
  user_id bigint, collection_id bigint, channel_id bigint, deleted_at timestamptz, is_public boolean, tags text[],
  lacks_picture boolean, lacks_player boolean, orientation text, duration integer
) returns bigint[]
language plpgsql immutable parallel safe cost 10000 as $$
declare
  own constant bigint := user_id * 128;
  digits constant integer := length(ltrim(duration::bit(24)::text, '0'));
begin
  return array_remove(array[
    own + case when deleted_at is null then 0 else 1 end,
    case when not is_public then own + 2 end,
    case when tags = '{}' then own + 3 end,
    case when lacks_picture then own + 4 end,
    case when lacks_player then own + 5 end,
    own + 8 + array_position(array['sfw', 'straight', 'gay', 'bi', 'trans'], orientation),
    own + 16 + digits,
    case when digits between 7 and 14 then own + 41 + 8 * (digits - 7) + ((duration >> (digits - 4)) & 7) end,
    -2 * collection_id,
    -2 * channel_id - 1], null);
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

-- Also with the other columns that filters compare, so that private bookmarks are counted without reading them.
drop index bookmarks_private_of_user;
create index bookmarks_private_of_user on bookmarks (user_id, created_at desc, id desc)
  include (is_public, access, collection_id, is_visible, video_id, effective_orientation, effective_duration, lacks_picture,
           lacks_player)
  where not is_public and deleted_at is null;
