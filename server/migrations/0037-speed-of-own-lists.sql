-- Own lists and feeds read indexes alone (docs/decisions/0058-own-lists-and-feeds.md).

-- Counts of own lists, and the orders by title and duration, with the columns that their filters compare.
drop index bookmarks_of_user;
create index bookmarks_of_user on bookmarks (user_id, created_at desc, id desc)
  include (is_visible, video_id, effective_orientation, effective_duration, lacks_picture, lacks_player)
  where deleted_at is null;
create index bookmarks_of_user_by_title on bookmarks (user_id, (title_sort_key(title) collate "C"), id)
  where deleted_at is null;
create index bookmarks_of_user_by_duration on bookmarks (user_id, coalesce(effective_duration, -1), id)
  include (effective_duration, is_visible, video_id, effective_orientation, created_at)
  where deleted_at is null;
create index bookmarks_untagged_of_user on bookmarks (user_id, created_at desc, id desc)
  include (is_visible, video_id, effective_orientation, effective_duration, lacks_picture, lacks_player)
  where tags = '{}' and deleted_at is null;
drop index bookmarks_private_of_user;
create index bookmarks_private_of_user on bookmarks (user_id, created_at desc, id desc)
  include (is_public, access, collection_id, is_visible, video_id)
  where not is_public and deleted_at is null;

-- The saves of videos, by which own bookmarks are ordered.
create index videos_saves on videos (id) include (saves_count);

-- Counts of collections and channels, for their owners and for others.
drop index bookmarks_of_collection;
create index bookmarks_of_collection on bookmarks (collection_id, created_at desc, id desc)
  include (user_id, deleted_at, is_visible, video_id, effective_orientation);
drop index bookmarks_of_channel;
create index bookmarks_of_channel on bookmarks (channel_id, created_at desc, id desc)
  include (user_id, deleted_at, is_visible, video_id, effective_orientation) where channel_id is not null;

-- A position in the manual order is found without reading the bookmarks before it. The columns that the key is computed from
-- are included, because otherwise PostgreSQL reads the rows to compute it.
drop index bookmarks_of_collection_by_key;
create index bookmarks_of_collection_by_key
  on bookmarks (collection_id, (coalesce(collection_order_key, time_order_key(created_at, id)) collate "C"), id)
  include (collection_order_key, created_at, deleted_at, is_visible, video_id);
drop index bookmarks_of_channel_by_key;
create index bookmarks_of_channel_by_key
  on bookmarks (channel_id, (coalesce(channel_order_key, time_order_key(created_at, id)) collate "C"), id)
  include (channel_order_key, created_at, deleted_at, is_visible, video_id)
  where channel_id is not null;

-- A feed lists each video once: the videos of the newest bookmarks, of all users and of each.
drop index bookmarks_visible_by_time;
create index bookmarks_visible_by_time on bookmarks (created_at desc, id desc) include (user_id, video_id)
  where is_visible;
drop index bookmarks_visible_of_user;
create index bookmarks_visible_of_user on bookmarks (user_id, created_at desc, id desc)
  include (effective_orientation, video_id) where is_visible;

-- Phrases in own bookmarks are found by their pairs of adjacent words, as in search_keys(). An index depends on this function,
-- so it is created once and never changes.
drop index bookmarks_vault;
drop function vault_cells(timestamptz, double precision);
create function vault_cells(
  created_at timestamptz, random_key double precision, search_vector tsvector, private_note text
) returns integer[]
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
      select distinct public.word_pair_key(one.lexeme, next.lexeme)
        from positions one join positions next on next.position = one.position + 1);
end $$;
create index bookmarks_vault on bookmarks
  using gin (
    vault_words(search_vector, private_note),
    vault_cells(created_at, random_key, search_vector, private_note),
    vault_keys(user_id, collection_id, channel_id, deleted_at, is_public, tags, lacks_picture, lacks_player,
               effective_orientation, effective_duration))
  with (fastupdate = off);
