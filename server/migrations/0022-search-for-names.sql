-- Suggestions, and searches for users and collections (docs/decisions/0041-suggestions.md).

-- The words of a name, in order, without case, accents, punctuation and invisible characters. Columns are generated with
-- these functions, so they are created once and never change; declared immutable although unaccent() depends on a file that
-- PostgreSQL ships. PL/pgSQL, because SQL functions with subqueries take ten times as long to call.
create function split_name(name text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  words text := name;
begin
  if name !~ '^[A-Za-z0-9 ]*$' then
    words := translate(words, $p$!"#$%&()*+,-./:;<=>?@[\]^_`{|}~«»“”„…–—·•¿¡、。「」'’$p$, repeat(' ', 47));
    words := public.unaccent('public.unaccent'::regdictionary, words);
    words := regexp_replace(words, '[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]', '', 'g');
    words := regexp_replace(words,
                            '[\u0001-\u001F\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]', ' ', 'g');
  end if;
  return array_remove(string_to_array(lower(words), ' '), '');
end $$;

-- What name_query() finds names by. A word with Chinese, Japanese or Thai characters may be several words, so it is included
-- without its first characters, too.
create function name_words(name text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  words text[] := public.split_name(name);
begin
  if name ~ '[\u0E01-\u0E4E\u3005-\u30FF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9D\U00020000-\U0003FFFF]' then
    words := array(select substr(word, start) from unnest(words) word, generate_series(1, length(word)) start);
  end if;
  return array_to_tsvector(words);
end $$;

alter table tags add column name_words tsvector not null generated always as (name_words(name)) stored;
alter table users add column username_words tsvector not null generated always as (name_words(username)) stored;
alter table collections
  add column name_words tsvector not null generated always as (name_words(name)) stored,
  -- Visible bookmarks, as counted by a job: the order of suggestions and searches.
  add column visible_count integer not null default 0 check (visible_count >= 0);

-- Names with a word that begins with a text. Without lists of pending entries, which every search would read.
create index tags_words on tags using gin (name_words) with (fastupdate = off) where uses_count > 0;
create index users_words on users using gin (username_words) with (fastupdate = off) where banned_at is null;
create index collections_words on collections using gin (name_words) with (fastupdate = off) where access = 'public';
-- The most followed users and the largest collections.
create index users_popular on users (followers_count desc, id) where banned_at is null;
create index collections_popular on collections (visible_count desc, id) where access = 'public';
