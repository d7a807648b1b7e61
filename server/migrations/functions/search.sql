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

-- The search vector of a bookmark: the words of its fields, and the exact lexemes tag:x, user:x and site:x.
-- A lexeme between the fields, and a word longer than any tag between the tags, is removed again and leaves a gap in the
-- positions, so that a phrase matches within one field or tag only.
create or replace function bookmark_search_vector(
  title text, description text, tags text[], username text, host text
) returns tsvector
language sql stable parallel safe as $$
  select ts_delete(
           setweight(to_tsvector('reelmark', search_text(title)), 'A') || field_gap
           || setweight(ts_delete(to_tsvector('reelmark', search_text(array_to_string(tags, ' ' || tag_gap || ' '))),
                                  tag_gap), 'B') || field_gap
           || setweight(to_tsvector('reelmark', search_text(username)), 'C') || field_gap
           || setweight(to_tsvector('reelmark', search_text(host)), 'C') || field_gap
           || setweight(to_tsvector('reelmark', search_text(description)), 'D'),
           ':')
      || array_to_tsvector(array(
           select 'tag:' || tag from unnest(tags) tag
           union select 'user:' || lower(username)
           union select 'site:' || site from unnest(host_suffixes(host)) site))
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
