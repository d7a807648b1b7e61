-- Searches read the index of words slice by slice (docs/decisions/0037-search-in-slices.md).

-- The keys of the slices that a bookmark is in: the six hours, two days, 16 days and so on of its lead's time, four cells of
-- the random order, and its lead's orientation. server/features/listing/search-slices.ts computes the same keys.
-- The index depends on it, so it is created once and never changes. PL/pgSQL, because PostgreSQL would repeat the text of
-- an SQL function in each plan.
create function search_keys(created_at timestamptz, random_key double precision, orientation text) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  time_cell integer := least(greatest(
    floor(date_part('epoch', created_at - timestamptz '1970-01-01 00:00:00+00') / 21600), 0), 1048575);
  random_cell integer := least(floor(random_key * 4096), 4095);
begin
  return array[
    time_cell, (1 << 20) + (time_cell >> 3), (2 << 20) + (time_cell >> 6), (3 << 20) + (time_cell >> 9),
    (4 << 20) + (time_cell >> 12), (5 << 20) + (time_cell >> 15),
    (6 << 20) + random_cell, (7 << 20) + (random_cell >> 3), (8 << 20) + (random_cell >> 6),
    (9 << 20) + (random_cell >> 9),
    (10 << 20) + array_position(array['sfw', 'straight', 'gay', 'bi', 'trans'], orientation)];
end $$;

drop index bookmarks_search;

-- Existing Chinese, Japanese and Thai texts are divided into pairs of characters. The functions are those of
-- functions/search.sql, which runs later.
create or replace function unspaced_characters() returns text
language sql immutable parallel safe as $$
  select '\u0E01-\u0E3A\u0E40-\u0E4E\u3005-\u3007\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF'
      || '\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9D\U00020000-\U0003FFFF'
$$;

create or replace function search_text(text text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  words text := translate(text,
                          $p$!"#$%&()*+,-./:;<=>?@[\]^_`{|}~«»“”„…–—·•¿¡、。「」'’$p$,
                          repeat(' ', 47));
  unspaced constant text := '[' || public.unspaced_characters() || ']';
begin
  if words !~ unspaced then
    return words;
  end if;
  return (
    select string_agg(case when not is_unspaced then letter
                           when next_is_unspaced then ' ' || letter || next_letter || ' '
                           else ' ' || letter || ' ' end, '' order by position)
      from (select letter, position, is_unspaced, lead(letter) over ordered as next_letter,
                   lead(is_unspaced) over ordered as next_is_unspaced
              from (select letter, position, letter ~ unspaced as is_unspaced
                      from string_to_table(words, null) with ordinality as letters (letter, position)) letters
            window ordered as (order by position)) pairs);
end $$;

-- Triggers are disabled, because nothing else about these bookmarks changes.
alter table bookmarks disable trigger user;
do $$
begin
  -- In a new database, which has no bookmarks, the function does not exist yet.
  if to_regproc('bookmark_search_vector') is not null then
    update bookmarks b
       set search_vector = bookmark_search_vector(b.title, b.description, b.tags, u.username, v.host)
      from videos v, users u
     where v.id = b.video_id and u.id = b.user_id
       and b.title || b.description || array_to_string(b.tags, '') ~ ('[' || unspaced_characters() || ']');
  end if;
end $$;
alter table bookmarks enable trigger user;

-- Search and tag lists: words, the exact lexemes tag:x, user:x and site:x, and the slices of the order of the results.
-- Without a list of pending entries, because every slice would read all of it.
create index bookmarks_search on bookmarks
  using gin (search_vector, search_keys(lead_created_at, random_key, lead_orientation)) with (fastupdate = off)
  where is_visible;

-- Lists of more than 20,000 bookmarks or likes, counted by a job. They show these counts, as estimates; shorter ones count
-- exactly.
create table long_lists (
  -- Ids of users for profile (visible bookmarks), library (all outside the trash) and likes. Owners see what others do not:
  -- own collection, own channel.
  kind  text not null
    check (kind in ('profile', 'library', 'likes', 'collection', 'own collection', 'channel', 'own channel')),
  id    bigint not null,
  count bigint not null,
  primary key (kind, id)
);

-- Following feeds of users who follow many: the newest visible bookmarks of all users.
create index bookmarks_visible_by_time on bookmarks (created_at desc, id desc) include (user_id) where is_visible;

-- Profiles, also of an orientation without reading the bookmarks.
drop index bookmarks_visible_of_user;
create index bookmarks_visible_of_user on bookmarks (user_id, created_at desc, id desc) include (effective_orientation)
  where is_visible;
drop index bookmarks_of_user;
create index bookmarks_of_user on bookmarks (user_id, created_at desc, id desc)
  include (is_visible, video_id, effective_orientation) where deleted_at is null;
