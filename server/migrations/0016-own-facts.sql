-- What somebody says of a video that another keeps privately: two people who each keep it to themselves know nothing of
-- each other's. What follows from it: docs/decisions/0018-what-is-said-in-private.md.

create table own_facts (
  video_id             bigint not null references videos on delete cascade,
  user_id              bigint not null references users on delete cascade,
  embed_url            text check (embed_url ~ '^https://' and length(embed_url) <= 4096),
  thumbnail_source_url text check (thumbnail_source_url ~ '^https?://' and length(thumbnail_source_url) <= 4096),
  orientation          text not null check (orientation in ('straight', 'gay', 'bi', 'trans', 'sfw')),
  shape                text not null check (shape in ('landscape', 'portrait', 'square', 'unknown')),
  duration             integer check (duration between 0 and 8640000),
  width                integer check (width between 1 and 100000),
  height               integer check (height between 1 and 100000),
  primary key (video_id, user_id)
);
-- Cascades from users.
create index own_facts_of_user on own_facts (user_id);

-- As in 0003, and what the lead says of the video itself where it was kept privately alone until now.
create or replace function settle_bookmarks(before bookmark_state[], after bookmark_state[]) returns void
language plpgsql as $$
declare
  touched bigint[];
  unseen bigint[];
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
    -- Those that nobody kept publicly until now: what is said of them was said in private.
    select array_agg(id) filter (where lead_bookmark_id is null and not exists (
             select from unnest(before) o where o.video_id = locked.id and o.is_public)) into unseen
      from (select id, lead_bookmark_id from videos where id = any (touched) order by id for no key update) locked;

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

    -- Nor is the player or picture that somebody else told of in private shown: the lead's own are, or none.
    update videos v
       set embed_url = f.embed_url, thumbnail_source_url = f.thumbnail_source_url,
           thumbnail_key = case when f.thumbnail_source_url = v.thumbnail_source_url then v.thumbnail_key end,
           thumbnail_large_key = case when f.thumbnail_source_url = v.thumbnail_source_url then v.thumbnail_large_key end,
           thumbnail_state = case when f.thumbnail_source_url = v.thumbnail_source_url then v.thumbnail_state else 'pending' end,
           orientation = coalesce(f.orientation, v.orientation), shape = coalesce(f.shape, v.shape),
           duration = f.duration, width = f.width, height = f.height, updated_at = now()
      from bookmarks b
      left join own_facts f on f.video_id = b.video_id and f.user_id = b.user_id
     where v.id = any (unseen) and b.id = v.lead_bookmark_id and b.user_id <> v.words_by;

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
