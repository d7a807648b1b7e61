-- Searches and filters of a user's own bookmarks (docs/decisions/0048-vault-search.md).

-- Whether neither the bookmark nor its video has a thumbnail, or one that is being fetched; whether neither has a player.
-- Copies, like effective_duration, because lists filter by columns of the bookmark alone.
alter table bookmarks
  add column lacks_picture boolean not null default false,
  add column lacks_player boolean not null default false;

alter table bookmarks disable trigger user;
update bookmarks b
   set lacks_picture = b.thumbnail_key is null and v.thumbnail_key is null
                       and b.thumbnail_state <> 'pending' and v.thumbnail_state <> 'pending',
       lacks_player = b.embed_url is null and v.embed_url is null
  from videos v
 where v.id = b.video_id
   and (b.embed_url is null and v.embed_url is null
        or b.thumbnail_key is null and v.thumbnail_key is null
           and b.thumbnail_state <> 'pending' and v.thumbnail_state <> 'pending');
alter table bookmarks enable trigger user;

-- The words of a bookmark as its owner searches them: those of its search vector and of its private note, and the exact
-- lexemes note:x. An index depends on this function and the next two, so they are created once and never change. PL/pgSQL,
-- because the functions that it calls do not exist yet in a new database.
create function vault_words(search_vector tsvector, private_note text) returns tsvector
language plpgsql immutable parallel safe cost 1000 as $$
declare
  note tsvector;
begin
  if private_note = '' then
    return search_vector;
  end if;
  note := to_tsvector('public.reelmark', public.search_text(private_note));
  -- The lexeme between them leaves a gap in the positions, so that a phrase matches within one field only.
  return ts_delete(search_vector || $gap$':':1$gap$::tsvector || setweight(note, 'D'), ':')
      || array_to_tsvector(array(select 'note:' || lexeme from unnest(tsvector_to_array(note)) lexeme));
end $$;

-- The cells of the random order and of the bookmark's own time, as in search_keys().
create function vault_cells(created_at timestamptz, random_key double precision) returns integer[]
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
    (14 << 20) + (own_cell >> 9), (15 << 20) + (own_cell >> 12), (16 << 20) + (own_cell >> 15)];
end $$;

-- What a bookmark is filtered by, each key for its owner alone, so that the index reads no bookmarks of other users:
-- library or trash, not public, untagged, without picture, without player, orientation, and the number of binary digits of
-- its duration. Its collection and channel are negative keys. server/features/listing/vault-keys.ts computes the same keys.
create function vault_keys(
  user_id bigint, collection_id bigint, channel_id bigint, deleted_at timestamptz, is_public boolean, tags text[],
  lacks_picture boolean, lacks_player boolean, orientation text, duration integer
) returns bigint[]
language plpgsql immutable parallel safe cost 10000 as $$
declare
  own constant bigint := user_id * 64;
begin
  return array_remove(array[
    own + case when deleted_at is null then 0 else 1 end,
    case when not is_public then own + 2 end,
    case when tags = '{}' then own + 3 end,
    case when lacks_picture then own + 4 end,
    case when lacks_player then own + 5 end,
    own + 8 + array_position(array['sfw', 'straight', 'gay', 'bi', 'trans'], orientation),
    own + 16 + length(ltrim(duration::bit(24)::text, '0')),
    -2 * collection_id,
    -2 * channel_id - 1], null);
end $$;

-- Searches and filters of a user's own bookmarks, also private and deleted ones. Not bookmarks_search, which everyone's
-- searches read: how long those take would depend on private bookmarks.
create index bookmarks_vault on bookmarks
  using gin (
    vault_words(search_vector, private_note),
    vault_cells(created_at, random_key),
    vault_keys(user_id, collection_id, channel_id, deleted_at, is_public, tags, lacks_picture, lacks_player,
               effective_orientation, effective_duration))
  with (fastupdate = off);
