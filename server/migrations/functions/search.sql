-- Search: the search vector of bookmarks, and words similar to misspelt ones.

-- 'm.example.org' → {m.example.org, example.org}: the names that `site:` matches.
create or replace function host_suffixes(host text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(array_to_string(parts[n:], '.')), '{}')
  from (select string_to_array(host, '.') as parts) split,
       generate_series(1, greatest(cardinality(parts) - 1, 1)) n
$$;

-- Removes punctuation from texts and queries alike, because PostgreSQL's parser would read it as part of file names,
-- hosts, versions and signed numbers ('and/or', 'Vol.2', 'top-10'). An apostrophe joins: "don't" becomes 'dont'.
create or replace function search_text(text text) returns text
language sql immutable strict parallel safe as $$
  select translate(text,
                   $p$!"#$%&()*+,-./:;<=>?@[\]^_`{|}~«»“”„…–—·•¿¡、。「」'’$p$,
                   repeat(' ', 47))
$$;

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

-- For each word of a search, by its position: words in use that begin with it, and words within one or two edits of it.
create or replace function similar_words(words text[]) returns table (ordinal int, word text)
language sql stable
set pg_trgm.similarity_threshold = 0.22
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
         from (select s.word from search_words s
                where s.word % searched.word
                order by similarity(s.word, searched.word) desc, s.word limit 60) s
        where s.word <> searched.word
          and levenshtein(s.word, searched.word) <= case when length(searched.word) < 6 then 1 else 2 end
        order by levenshtein(s.word, searched.word), s.word limit 8)
    ) similar_word
   where searched.word <> ''
     -- Words in use have at most 30 letters, and levenshtein() fails above 255.
     and length(searched.word) <= 32
$$;
