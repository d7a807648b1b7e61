-- Search: the search vector of bookmarks, and words similar to misspelt ones.

-- 'm.example.org' → {m.example.org, example.org}: the names that `site:` matches.
create or replace function host_suffixes(host text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(array_to_string(parts[n:], '.')), '{}')
  from (select string_to_array(host, '.') as parts) split,
       generate_series(1, greatest(cardinality(parts) - 1, 1)) n
$$;

-- Characters of Chinese, Japanese and Thai, which are written without spaces between words.
create or replace function unspaced_characters() returns text
language sql immutable parallel safe as $$
  select '\u0E01-\u0E3A\u0E40-\u0E4E\u3005-\u3007\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF'
      || '\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9D\U00020000-\U0003FFFF'
$$;

-- Prepares texts and queries alike. Removes punctuation, because PostgreSQL's parser would read it as part of file names,
-- hosts, versions and signed numbers ('and/or', 'Vol.2', 'top-10'). An apostrophe joins: "don't" becomes 'dont'.
-- Chinese, Japanese and Thai texts are divided into pairs of adjacent characters, and the last character of each text alone:
-- '東京都' becomes '東京 京都 都'.
create or replace function search_text(text text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  -- translate() would compare each character with each of the list.
  words text := regexp_replace(regexp_replace(text, $p$['’]$p$, '', 'g'),
                               $p$[!"#$%&()*+,./:;<=>?@[\\^_`{|}~«»“”„…–—·•¿¡、。「」\]-]$p$, ' ', 'g');
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

-- The query for a word or, with adjacent words, for a phrase. In Chinese, Japanese and Thai a word is a phrase of pairs of
-- characters. It may continue in the text that it is found in, so that its last character is not one of the end of a text; a
-- single character may be the first of a pair. Immutable, like to_tsquery(), so that it is evaluated once and not for each row.
create or replace function search_query(text text, is_phrase boolean) returns tsquery
language plpgsql immutable strict parallel safe as $$
declare
  unspaced constant text := '[' || public.unspaced_characters() || ']';
  words constant text := public.search_text(text);
begin
  if words !~ unspaced then
    return case when is_phrase then phraseto_tsquery('public.reelmark', words) else plainto_tsquery('public.reelmark', words) end;
  end if;
  if btrim(words) ~ ('^' || unspaced || '$') then
    return (quote_literal(btrim(words)) || ':*')::tsquery;
  end if;
  return phraseto_tsquery('public.reelmark', regexp_replace(words, '(' || unspaced || ') +\1 *$', '\1'));
end $$;

-- A query without the order of its words: for phrases, which the index of words finds only so.
create or replace function unordered_query(query tsquery) returns tsquery
language sql immutable strict parallel safe as $$
  select regexp_replace(query::text, '<(-|\d+)>', '&', 'g')::tsquery
$$;

-- The query for words of the private note: the lexemes note:x of vault_words(), which have no positions.
create or replace function note_query(text text) returns tsquery
language sql immutable strict parallel safe as $$
  select regexp_replace(public.unordered_query(public.search_query(text, false))::text, '''([^'']*)''', '''note:\1''', 'g')::tsquery
$$;

-- A query without phrases for the words of a user's bookmarks in their index: those of vault_lexemes().
create or replace function own_query(query tsquery, user_id bigint) returns tsquery
language plpgsql immutable strict parallel safe as $$
begin
  -- In the text of a query, each word is in quotes, and quotes and backslashes within it are doubled.
  return regexp_replace(query::text, '''((?:[^''\\]|''''|\\\\)*)''',
    '''' || public.owner_group(user_id) || '\1''', 'g')::tsquery;
end $$;

-- The keys of the adjacent words of a phrase in the index of searches. Words of a query contain no punctuation.
create or replace function word_pair_keys(phrase tsquery) returns integer[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(word_pair_key(word, next_word)), '{}')
    from (select btrim(quoted, '''') as word, btrim(lead(quoted) over (order by position), '''') as next_word
            from string_to_table(phrase::text, ' <-> ') with ordinality as words (quoted, position)) words
   where next_word is not null
$$;

-- The lexeme by which the owner's name finds a bookmark. For a profile that everyone sees it is user:x; members also search for
-- member:x, and moderators and the owner for owner:x.
create or replace function owner_lexeme(username text, profile_visibility text) returns text
language sql immutable strict parallel safe as $$
  select case profile_visibility when 'everyone' then 'user:' when 'members' then 'member:' else 'owner:' end || lower(username)
$$;

-- The query for `channel:`: the exact name of an uploader, as uploader_key() compares it.
create or replace function uploader_query(name text) returns tsquery
language sql immutable strict parallel safe as $$
  select array_to_tsvector(array['channel:' || public.uploader_key(name)])::text::tsquery
$$;

-- The search vector of a bookmark: the words of its fields, and the exact lexemes tag:x, site:x, channel:x and that of its
-- owner. The name of an owner whose profile is not for everyone is not among the words.
-- A lexeme between the fields, and a word longer than any tag between the tags, is removed again and leaves a gap in the
-- positions, so that a phrase matches within one field or tag only.
create or replace function bookmark_search_vector(
  title text, description text, tags text[], username text, profile_visibility text, host text, uploader_name text
) returns tsvector
language sql stable parallel safe as $$
  select ts_delete(
           setweight(to_tsvector('reelmark', search_text(title)), 'A') || field_gap
           || setweight(ts_delete(to_tsvector('reelmark', search_text(array_to_string(tags, ' ' || tag_gap || ' '))),
                                  tag_gap), 'B') || field_gap
           || setweight(to_tsvector('reelmark', search_text(case when profile_visibility = 'everyone' then username else '' end)), 'C') || field_gap
           || setweight(to_tsvector('reelmark', search_text(host)), 'C') || field_gap
           || setweight(to_tsvector('reelmark', search_text(description)), 'D'),
           ':')
      || array_to_tsvector(array(
           select 'tag:' || tag from unnest(tags) tag
           union select owner_lexeme(username, profile_visibility)
           union select 'site:' || site from unnest(host_suffixes(host)) site
           union select 'channel:' || uploader_key(uploader_name) where uploader_name is not null))
    from (values ($gap$':':1$gap$::tsvector, repeat('z', 60))) gaps (field_gap, tag_gap)
$$;

-- Words that differ from a word by one letter that is missing, added or replaced, or by two that are swapped. Letters are
-- those of the word's alphabet.
create or replace function word_edits(word text) returns text[]
language sql immutable strict parallel safe as $$
  with letters as (
    select letter
      from string_to_table(case when word ~ '[а-я]' then 'абвгдежзийклмнопрстуфхцчшщъыьэюя'
                                when word ~ '[α-ω]' then 'αβγδεζηθικλμνξοπρστυφχψω'
                                else 'abcdefghijklmnopqrstuvwxyz' end, null) letter
  ), places as (
    select place from generate_series(1, length(word)) place
  )
  select array(
    select overlay(word placing '' from place for 1) from places
    union all select overlay(word placing substr(word, place + 1, 1) || substr(word, place, 1) from place for 2)
      from places where place < length(word)
    union all select overlay(word placing letter from place for 1) from places, letters
    union all select overlay(word placing letter from place for 0) from places, letters
    union all select word || letter from letters)
$$;

-- For each word of a search, by its position: words in use that begin with it, and words within one or two edits of it. One
-- edit away, every possible word is looked up. Two edits away, words are compared by trigrams, of long words only, because
-- short ones would be similar to too many: among 400,000 words, 18,000 have a similarity of 0.22 to one of four letters.
create or replace function similar_words(words text[]) returns table (ordinal int, word text)
language sql stable
set pg_trgm.similarity_threshold = 0.3
as $$
  select searched.ordinal::int, similar_word.word
    from unnest(words) with ordinality as searched (word, ordinal),
    lateral (
      (select s.word from search_words s
        where s.word like replace(replace(replace(searched.word, '\', '\\'), '%', '\%'), '_', '\_') || '%'
          and s.word <> searched.word
        order by length(s.word), s.word limit 8)
      union
      (select s.word
         from (select s.word, 1 as edits from search_words s where s.word = any (word_edits(searched.word))
               union
               (select s.word, levenshtein(s.word, searched.word)
                  from (select s.word from search_words s
                         where s.word % searched.word
                           and (length(searched.word) >= 6 or searched.word !~ '^([a-z]+|[а-я]+|[α-ω]+)$')
                         order by similarity(s.word, searched.word) desc, s.word limit 60) s
                 where levenshtein(s.word, searched.word) <= case when length(searched.word) < 6 then 1 else 2 end)) s
        where s.word <> searched.word
        group by s.word
        order by min(s.edits), s.word limit 8)
    ) similar_word
   where searched.word <> ''
     -- Words in use have at most 30 letters, and levenshtein() fails above 255.
     and length(searched.word) <= 32
$$;

-- The query for names that contain all words of a text, of which the last may be incomplete; null if it has no words.
create or replace function name_query(text text) returns tsquery
language sql immutable strict parallel safe as $$
  select string_agg(quote_literal(word) || case when position = cardinality(words) then ':*' else '' end, ' & ')::tsquery
    from (values (public.split_name(text))) split (words),
         unnest(words) with ordinality as each_word (word, position)
$$;

-- The query for titles that contain all words of a text, of which the last may be incomplete. `for_index`: texts of any
-- weight and order, and instead of the beginning of a word, the 50 shortest words in use with that beginning, because the
-- index of words would read all others.
create or replace function title_query(text text, for_index boolean) returns tsquery
language plpgsql stable strict parallel safe as $$
declare
  words constant text[] := public.split_name(text);
  complete constant tsquery := public.search_query(array_to_string(words[:cardinality(words) - 1], ' '), false);
  last constant tsquery := public.search_query(coalesce(words[cardinality(words)], ''), false);
  -- Null for several lexemes, such as the pairs of characters of Chinese texts. They contain no quotes.
  lexeme constant text := (regexp_match(last::text, '^''([^'']*)''$'))[1];
  completed text := last::text;
begin
  if lexeme is not null and for_index then
    select string_agg(quote_literal(word), ' | ') into completed
      from (select lexeme as word
            union
            (select w.word from search_words w
              where w.word like replace(replace(replace(lexeme, '\', '\\'), '%', '\%'), '_', '\_') || '%'
              order by length(w.word), w.word limit 50)) completions;
  elsif lexeme is not null then
    completed := quote_literal(lexeme) || ':*';
  end if;
  if for_index then
    -- Without weights and positions, which the index does not have: each row found would be compared with all conditions.
    return unordered_query(complete && completed::tsquery);
  end if;
  -- A is the weight of titles.
  return regexp_replace((complete && completed::tsquery)::text, '(''[^'']*''):?(\*?)', '\1:\2A', 'g')::tsquery;
end $$;
