-- What keeps the copies and counters of videos and bookmarks true, whatever way a row is changed: a save, a bulk move,
-- a collection made private, a video hidden, an account deleted.
--
-- Order of locks, in every transaction: collections, then videos by id, then bookmarks, then tags by name.

create extension if not exists fuzzystrmatch;

create text search configuration reelmark (copy = simple);
alter text search configuration reelmark
  alter mapping for hword, hword_part, word, asciihword, hword_asciipart, asciiword, numword, numhword
  with unaccent, simple;

-- 'm.example.org' → {m.example.org, example.org}: what `site:` can name.
create function host_suffixes(host text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(array_to_string(parts[n:], '.')), '{}')
  from (select string_to_array(host, '.') as parts) split,
       generate_series(1, greatest(cardinality(parts) - 1, 1)) n
$$;

-- What words are taken from, in rows and queries alike: without punctuation, which PostgreSQL's parser reads as part
-- of file names, hosts, versions and signed numbers ('and/or', 'Vol.2', 'top-10'). Apostrophes close up: "don't", dont.
create function search_text(text text) returns text
language sql immutable strict parallel safe as $$
  select translate(text,
                   $p$!"#$%&()*+,-./:;<=>?@[\]^_`{|}~«»“”„…–—·•¿¡、。「」'’$p$,
                   repeat(' ', 47))
$$;

create function bookmark_search(title text, description text, tags text[], username text, host text) returns tsvector
language sql stable parallel safe as $$
  select setweight(to_tsvector('reelmark', search_text(title)), 'A')
      || setweight(to_tsvector('reelmark', search_text(array_to_string(tags, ' '))), 'B')
      || setweight(to_tsvector('reelmark', search_text(username || ' ' || host)), 'C')
      || setweight(to_tsvector('reelmark', search_text(description)), 'D')
      || array_to_tsvector(array(
           select 'tag:' || tag from unnest(tags) tag
           union select 'user:' || lower(username)
           union select 'site:' || site from unnest(host_suffixes(host)) site))
$$;

-- Before a bookmark is written: its copies of what its collection and video say.
create function bookmark_copies() returns trigger
language plpgsql as $$
declare
  place_access text;
  video record;
begin
  -- The locks make this true until the transaction ends: neither can be changed meanwhile.
  select access into place_access from collections where id = new.collection_id for no key update;
  select status, orientation, lead_bookmark_id into video from videos where id = new.video_id for no key update;
  new.orientation := coalesce(video.orientation, 'sfw');
  new.is_public := new.access = 'public' and place_access = 'public' and new.deleted_at is null;
  new.is_visible := new.is_public and video.status = 'visible';
  -- A new row has the highest id: it leads only where nothing does. bookmarks_changed() settles the rest.
  new.is_listed := new.is_visible and (video.lead_bookmark_id is null or video.lead_bookmark_id = new.id);
  return new;
end $$;

create trigger bookmark_copies
  before insert or update of access, collection_id, video_id, deleted_at on bookmarks
  for each row execute function bookmark_copies();

create function bookmark_searchable() returns trigger
language plpgsql as $$
begin
  select bookmark_search(
           coalesce(nullif(new.title, ''), v.title), new.description, new.tags, u.username, v.host)
    into new.search
    from videos v, users u
   where v.id = new.video_id and u.id = new.user_id;
  new.search := coalesce(new.search, '');
  return new;
end $$;

create trigger bookmark_searchable
  before insert or update of title, description, tags, video_id on bookmarks
  for each row execute function bookmark_searchable();

create type bookmark_state as (
  id bigint, user_id bigint, video_id bigint, is_public boolean, is_listed boolean, tags text[]
);

-- Moves the use counts of the tags of bookmarks that entered (+1) or left (-1) Explore.
create function count_tags(entered bookmark_state[], gone bookmark_state[]) returns void
language plpgsql as $$
begin
  -- Locked by name first: an update alone would lock in the order of its plan.
  perform from tags
    where name in (select unnest(tags) from unnest(entered) union select unnest(tags) from unnest(gone))
    order by name for no key update;
  update tags
     set uses_count = uses_count + moved.by
    from (select tag, sum(step) as by
            from (select unnest(tags) as tag, 1 as step from unnest(entered)
                  union all select unnest(tags), -1 from unnest(gone)) steps
           group by tag having sum(step) <> 0) moved
   where name = moved.tag;
  insert into search_words (word)
  select distinct word
    from bookmarks b, unnest(tsvector_to_array(b.search)) word
   where b.id in (select id from unnest(entered)) and word ~ '^[[:alpha:]]{4,30}$'
   order by word
  on conflict do nothing;
end $$;

-- Settles leads, saves, tags and words after bookmarks changed from `before` to `after` (matched by id; a new row is
-- only in `after`, a deleted one only in `before`).
create function settle_bookmarks(before bookmark_state[], after bookmark_state[]) returns void
language plpgsql as $$
declare
  touched bigint[];
  relisted bookmark_state[] := '{}';
begin
  -- Those of the videos too: they are shown with their ids. One statement, in the order of names.
  insert into tags (name)
  select unnest(tags) as name from unnest(after)
  union select unnest(v.tags) from videos v where v.id in (select video_id from unnest(after))
  order by name
  on conflict do nothing;

  -- Videos that gained or lost a public bookmark.
  select array_agg(distinct video_id) into touched
  from (select o.video_id from unnest(before) o left join unnest(after) n using (id)
         where o.is_public and (n.is_public and n.video_id = o.video_id) is not true
        union all
        select n.video_id from unnest(after) n left join unnest(before) o using (id)
         where n.is_public and (o.is_public and n.video_id = o.video_id) is not true) moved;

  if touched is not null then
    perform from videos where id = any (touched) order by id for no key update;

    -- A person counts once for a video, in however many places they keep it.
    with pairs as (
      select video_id, user_id, bool_or(was) as was
        from (select video_id, user_id, is_public as was from unnest(before)
              union all select video_id, user_id, false from unnest(after)) rows
       where video_id = any (touched)
       group by video_id, user_id
    ), savers as (
      select p.video_id, p.was, bool_or(b.id is not null) as saves_now,
             bool_or(b.id is not null and b.id not in (select id from unnest(after))) as elsewhere
        from pairs p
        left join bookmarks b
          on b.user_id = p.user_id and b.video_id = p.video_id and b.is_public and b.deleted_at is null
       group by p.video_id, p.user_id, p.was
    ), moved as (
      select video_id, sum(saves_now::int - (was or elsewhere)::int) as by from savers group by video_id
    )
    update videos v
       set saves_count = saves_count + moved.by,
           lead_bookmark_id = (select id from bookmarks b
                                where b.video_id = v.id and b.is_public order by id limit 1)
      from moved where v.id = moved.video_id;

    -- Nobody sees the words of somebody who keeps the video privately: then they are the lead's own.
    update videos v
       set title = coalesce(nullif(b.title, ''), v.title), description = b.description, tags = b.tags,
           words_by = b.user_id
      from bookmarks b
     where v.id = any (touched) and b.id = v.lead_bookmark_id and b.user_id <> v.words_by
       and not exists (select from bookmarks w
                        where w.user_id = v.words_by and w.video_id = v.id and w.is_public and w.deleted_at is null);

    -- Whatever stood for one of these videos, or was changed now, is listed if and only if it leads.
    with settled as (
      update bookmarks b
         set is_listed = b.is_visible and b.id = v.lead_bookmark_id
        from videos v
       where v.id = any (touched) and b.video_id = v.id
         and (b.is_listed or b.id = v.lead_bookmark_id)
         and b.is_listed <> (b.is_visible and b.id = v.lead_bookmark_id)
      returning b.id, b.user_id, b.video_id, b.is_public, b.is_listed, b.tags
    )
    select coalesce(array_agg(row(settled.*)::bookmark_state), '{}') into relisted from settled;
  end if;

  perform count_tags(
    array(select n from unnest(after) n where is_listed union all select r from unnest(relisted) r where is_listed),
    array(select o from unnest(before) o where is_listed union all select r from unnest(relisted) r where not is_listed));
end $$;

create function bookmarks_inserted() returns trigger
language plpgsql as $$
begin
  perform settle_bookmarks('{}', (
    select array_agg(row(id, user_id, video_id, is_public, is_listed, tags)::bookmark_state) from new_rows));
  return null;
end $$;

create function bookmarks_deleted() returns trigger
language plpgsql as $$
begin
  perform settle_bookmarks((
    select array_agg(row(id, user_id, video_id, is_public, is_listed, tags)::bookmark_state) from old_rows), '{}');
  return null;
end $$;

-- Only rows whose publicity, video, tags or words changed. Listing alone is moved by settle_bookmarks() and
-- video_changed(), which count for themselves.
create function bookmarks_updated() returns trigger
language plpgsql as $$
declare
  before bookmark_state[];
  after bookmark_state[];
begin
  select array_agg(row(o.id, o.user_id, o.video_id, o.is_public, o.is_listed, o.tags)::bookmark_state),
         array_agg(row(n.id, n.user_id, n.video_id, n.is_public, n.is_listed, n.tags)::bookmark_state)
    into before, after
    from old_rows o join new_rows n using (id)
   where (o.is_public, o.video_id, o.tags, o.search) is distinct from (n.is_public, n.video_id, n.tags, n.search);
  if before is not null then
    perform settle_bookmarks(before, after);
  end if;
  return null;
end $$;

create trigger bookmarks_inserted after insert on bookmarks
  referencing new table as new_rows for each statement execute function bookmarks_inserted();
create trigger bookmarks_deleted after delete on bookmarks
  referencing old table as old_rows for each statement execute function bookmarks_deleted();
create trigger bookmarks_updated after update on bookmarks
  referencing old table as old_rows new table as new_rows for each statement execute function bookmarks_updated();

-- A video was hidden, shown again, removed, or turned out to be about something else.
create function video_changed() returns trigger
language plpgsql as $$
declare
  lead bookmark_state[];
begin
  update bookmarks
     set orientation = new.orientation,
         is_visible = is_public and new.status = 'visible',
         is_listed = is_public and new.status = 'visible' and id is not distinct from new.lead_bookmark_id
   where video_id = new.id
     and (orientation <> new.orientation or is_visible <> (is_public and new.status = 'visible'));
  if (old.status = 'visible') <> (new.status = 'visible') then
    select array_agg(row(id, user_id, video_id, is_public, is_listed, tags)::bookmark_state) into lead
      from bookmarks where id = new.lead_bookmark_id and is_public;
    if new.status = 'visible' then
      perform count_tags(lead, '{}');
    else
      perform count_tags('{}', lead);
    end if;
  end if;
  if (old.title, old.host) is distinct from (new.title, new.host) then
    update bookmarks set title = title where video_id = new.id and (title = '' or old.host <> new.host);
  end if;
  return null;
end $$;

create trigger video_changed after update of status, orientation, title, host on videos
  for each row when ((old.status, old.orientation, old.title, old.host)
                     is distinct from (new.status, new.orientation, new.title, new.host))
  execute function video_changed();

-- A collection was made private or public: so is everything in it.
create function collection_changed() returns trigger
language plpgsql as $$
begin
  perform from videos
    where id in (select video_id from bookmarks where collection_id = new.id) order by id for no key update;
  update bookmarks set access = access where collection_id = new.id;
  return null;
end $$;

create trigger collection_changed after update of access on collections
  for each row when (old.access <> new.access) execute function collection_changed();

-- For what changes or deletes bookmarks that are there: takes the locks that the triggers will take, in their order,
-- before the bookmarks' own. Two people doing so at once then wait for each other and never in a circle.
create function lock_bookmarks(ids bigint[]) returns void
language plpgsql as $$
begin
  perform from collections
    where id in (select collection_id from bookmarks where bookmarks.id = any (ids)) order by id for no key update;
  perform from videos
    where id in (select video_id from bookmarks where bookmarks.id = any (ids)) order by id for no key update;
  perform from bookmarks where bookmarks.id = any (ids) order by id for no key update;
end $$;

-- Whoever edits a video's words without saying whose they are (a moderator) makes them nobody's, to stay.
create function video_words() returns trigger
language plpgsql as $$
begin
  if new.words_by is not distinct from old.words_by then
    new.words_by := null;
  end if;
  return new;
end $$;

create trigger video_words before update of title, description, tags on videos
  for each row when ((old.title, old.description, old.tags) is distinct from (new.title, new.description, new.tags))
  execute function video_words();

-- Words like those of a misspelt search, per word: ones it begins, and ones within one or two slips of it.
create function close_words(words text[]) returns table (place int, word text)
language sql stable
set pg_trgm.similarity_threshold = 0.22
as $$
  select asked.place::int, close.word
    from unnest(words) with ordinality as asked (word, place),
    lateral (
      (select s.word from search_words s
        where s.word like asked.word || '%' and s.word <> asked.word
        order by length(s.word), s.word limit 8)
      union
      (select s.word
         from (select s.word from search_words s
                where s.word % asked.word
                order by similarity(s.word, asked.word) desc, s.word limit 60) s
        where s.word <> asked.word
          and levenshtein(s.word, asked.word) <= case when length(asked.word) < 6 then 1 else 2 end
        order by levenshtein(s.word, asked.word), s.word limit 8)
    ) close
$$;
