-- Functions and triggers that maintain the copies and counters of videos and bookmarks, whatever changes a row: a save, a
-- bulk move, a collection made private, a video hidden, an account deleted (docs/decisions/0002).
--
-- Every transaction takes its locks in this order: collections, videos by id, bookmarks, tags by name, search words.

-- Whether a bookmark is shared with others, apart from content rules and the status of its video.
create or replace function is_shared(
  access text, collection_access text, deleted_at timestamptz, owner_banned_at timestamptz
) returns boolean
language sql immutable parallel safe as $$
  select access = 'public' and collection_access = 'public' and deleted_at is null and owner_banned_at is null
$$;

-- The id of a tag: the same whether or not other users have the tag.
create or replace function tag_id(name text) returns bigint
language sql immutable strict parallel safe as $$
  select ('x' || left(encode(url_hash(name), 'hex'), 13))::bit(52)::bigint
$$;

-- Where a video stands in the random order: from 0 to 1, always the same.
create or replace function video_random_key(video_id bigint) returns double precision
language sql immutable strict parallel safe as $$
  select ('x' || left(md5(video_id::text), 13))::bit(52)::bigint / 4503599627370496.0::float8
$$;

-- The id of the video with a canonical URL. `attempt` is 0 unless another video has that id.
create or replace function derive_video_id(canonical_url text, attempt integer) returns bigint
language sql stable strict as $$
  select ('x' || left(encode(sha256(value || url_hash(canonical_url) || int4send(attempt)), 'hex'), 13))::bit(52)::bigint
    from server_keys where name = 'video-id'
$$;

-- Before a video is inserted: sets its id (docs/decisions/0029-nothing-left-and-nothing-crosses.md).
create or replace function set_video_id() returns trigger
language plpgsql as $$
declare
  attempt integer := 0;
begin
  loop
    new.id := derive_video_id(new.canonical_url, attempt);
    exit when not exists (select from videos v where v.id = new.id and v.canonical_url <> new.canonical_url);
    attempt := attempt + 1;
  end loop;
  return new;
end $$;

create or replace trigger set_video_id before insert on videos
  for each row when (new.id is null) execute function set_video_id();

-- Before a bookmark is written: sets the columns copied from its collection, video and owner. Plans are made when a connection
-- saves its first bookmarks. Without sequential scans, those of nearly empty tables look rows up as well, however many follow.
create or replace function set_bookmark_flags() returns trigger
language plpgsql set enable_seqscan = off as $$
declare
  collection_access text;
  video record;
  shared boolean;
begin
  -- The locks keep both unchanged until the transaction ends. The owner may be banned or unbanned meanwhile; a job then
  -- calls refresh_bookmark_flags().
  select access into collection_access from collections where id = new.collection_id for no key update;
  select status, orientation_ruling, lead_bookmark_id, duration into video from videos where id = new.video_id for no key update;
  shared := is_shared(new.access, collection_access, new.deleted_at,
                      (select banned_at from users where id = new.user_id));
  new.effective_orientation := coalesce(video.orientation_ruling, new.orientation);
  new.effective_duration := coalesce(new.duration, video.duration);
  new.random_key := video_random_key(new.video_id);
  new.is_held := shared and new.hold_reason is not null;
  new.is_public := shared and new.hold_reason is null;
  new.is_visible := new.is_public and video.status = 'visible';
  -- A new bookmark has the highest id, so it leads only if nothing else does. sync_bookmark_aggregates() corrects the rest.
  new.is_listed := new.is_visible and coalesce(video.lead_bookmark_id, new.id) = new.id;
  new.lead_bookmark_id := case when new.is_visible then coalesce(video.lead_bookmark_id, new.id) end;
  new.lead_created_at := null;
  new.lead_orientation := null;
  new.lead_duration := null;
  if new.is_listed then
    new.lead_created_at := new.created_at;
    new.lead_orientation := new.effective_orientation;
    new.lead_duration := new.effective_duration;
  elsif new.is_visible then
    select created_at, effective_orientation, effective_duration
      into new.lead_created_at, new.lead_orientation, new.lead_duration
      from bookmarks where id = new.lead_bookmark_id;
  end if;
  return new;
end $$;

create or replace trigger set_bookmark_flags
  before insert or update of access, orientation, duration, collection_id, video_id, created_at, deleted_at, hold_reason
  on bookmarks
  for each row execute function set_bookmark_flags();

-- Before a bookmark is moved to another collection or channel: puts it first in the manual order there, unless the statement
-- sets the key itself. Bookmarks moved by one statement are ordered by id, the newest first.
create or replace function set_order_keys() returns trigger
language plpgsql as $$
begin
  if new.collection_id <> old.collection_id and new.collection_order_key is not distinct from old.collection_order_key then
    new.collection_order_key := time_order_key(now(), new.id);
  end if;
  if new.channel_id is null then
    new.channel_order_key := null;
  elsif new.channel_id is distinct from old.channel_id
        and new.channel_order_key is not distinct from old.channel_order_key then
    new.channel_order_key := time_order_key(now(), new.id);
  end if;
  return new;
end $$;

create or replace trigger set_order_keys before update of collection_id, channel_id on bookmarks
  for each row when ((old.collection_id, old.channel_id) is distinct from (new.collection_id, new.channel_id))
  execute function set_order_keys();

-- Before a bookmark is written: removes title, picture and uploader if its video is link-only, and the uploader if a moderator
-- removed it, and sets whether it has a picture and a player. On insert, set_bookmark_flags() has locked the video, because
-- triggers run in the order of their names; set_bookmark_search() runs later and reads title and uploader.
create or replace function set_bookmark_media() returns trigger
language plpgsql set enable_seqscan = off as $$
declare
  video record;
begin
  select host, is_link_only, is_uploader_removed, thumbnail_key, thumbnail_state, embed_url
    into video from videos where id = new.video_id;
  if video.is_link_only or video.is_uploader_removed then
    new.uploader_name := null;
    new.uploader_url := null;
  end if;
  if video.is_link_only then
    if new.title <> video.host then
      new.withheld_title := new.title;
      new.title := video.host;
    end if;
    -- An uploaded picture is in the store already.
    insert into picture_deletions (media_key)
    select key from unnest(array[new.thumbnail_key, new.thumbnail_large_key]) key where key is not null
    on conflict do nothing;
    new.thumbnail_source_url := null;
    new.thumbnail_key := null;
    new.thumbnail_large_key := null;
    new.thumbnail_hash := null;
    new.thumbnail_state := 'none';
    new.thumbnail_is_uploaded := false;
    new.thumbnail_failures := 0;
    new.thumbnail_retry_at := null;
  end if;
  -- What a ruling removed is not for the owner to fix.
  new.lacks_picture := not video.is_link_only and new.thumbnail_key is null and video.thumbnail_key is null
                       and new.thumbnail_state <> 'pending' and video.thumbnail_state is distinct from 'pending';
  new.lacks_player := new.embed_url is null and video.embed_url is null;
  return new;
end $$;

create or replace trigger set_bookmark_media
  before insert or update of title, thumbnail_source_url, thumbnail_key, thumbnail_state, embed_url, uploader_name, video_id
  on bookmarks
  for each row execute function set_bookmark_media();

-- A video got or lost its thumbnail or player. Updates all of its bookmarks, also unchanged ones: a concurrent change of a
-- bookmark, which reads the video without a lock, then happens before or after this one.
create or replace function video_media_changed() returns trigger
language plpgsql as $$
begin
  update bookmarks b
     set lacks_picture = not new.is_link_only and b.thumbnail_key is null and new.thumbnail_key is null
                         and b.thumbnail_state <> 'pending' and new.thumbnail_state <> 'pending',
         lacks_player = b.embed_url is null and new.embed_url is null
   where b.video_id = new.id;
  return null;
end $$;

create or replace trigger video_media_changed after update of thumbnail_key, thumbnail_state, embed_url on videos
  for each row when ((old.thumbnail_key is null and old.thumbnail_state <> 'pending', old.embed_url is null)
                     is distinct from (new.thumbnail_key is null and new.thumbnail_state <> 'pending', new.embed_url is null))
  execute function video_media_changed();

-- A video became link-only or stopped being so: set_bookmark_media() removes title and picture of all of its bookmarks, or the
-- withheld titles apply again. Or a link-only video got a picture or an uploader, from whichever save or job: it loses it. Must
-- be an AFTER trigger, as video_changed().
create or replace function video_link_only() returns trigger
language plpgsql as $$
begin
  if new.is_link_only then
    update videos
       set thumbnail_source_url = null, thumbnail_key = null, thumbnail_large_key = null, thumbnail_hash = null,
           thumbnail_state = 'none', thumbnail_failures = 0, thumbnail_retry_at = null, uploader_name = null, uploader_url = null
     where id = new.id and (thumbnail_source_url is not null or thumbnail_key is not null or thumbnail_state <> 'none'
                            or uploader_name is not null);
  end if;
  if new.is_link_only <> old.is_link_only then
    update bookmarks set title = coalesce(withheld_title, title), withheld_title = null where video_id = new.id;
  end if;
  if old.is_link_only and not new.is_link_only then
    insert into removal_candidates (video_id) values (new.id);
  end if;
  return null;
end $$;

create or replace trigger video_link_only
  after update of is_link_only, thumbnail_source_url, thumbnail_key, thumbnail_state, uploader_name on videos
  for each row when (new.is_link_only or old.is_link_only) execute function video_link_only();

-- A video got another uploader, or a moderator removed it: updates the search vectors of its bookmarks, and removes the owners'
-- uploaders. If there are more than 200, a job does so in batches (server/features/bookmarks/uploader-sync.ts). Must be an AFTER
-- trigger, as video_changed().
create or replace function video_uploader_changed() returns trigger
language plpgsql as $$
declare
  ids bigint[];
begin
  if new.is_uploader_removed then
    update videos set uploader_name = null, uploader_url = null where id = new.id and uploader_name is not null;
  end if;
  select array_agg(id) into ids from (select id from bookmarks where video_id = new.id limit 201) found;
  if cardinality(ids) > 200 then
    insert into uploader_syncs (video_id) values (new.id) on conflict (video_id) do update set last_bookmark_id = 0;
  else
    -- Runs set_bookmark_media() and set_bookmark_search().
    update bookmarks set uploader_name = uploader_name where id = any (ids);
  end if;
  return null;
end $$;

create or replace trigger video_uploader_changed after update of uploader_name, is_uploader_removed on videos
  for each row when ((old.uploader_name, old.is_uploader_removed) is distinct from (new.uploader_name, new.is_uploader_removed))
  execute function video_uploader_changed();

-- Before a bookmark is written: sets its search vector.
create or replace function set_bookmark_search() returns trigger
language plpgsql set enable_seqscan = off as $$
begin
  select bookmark_search_vector(new.title, new.description, new.tags, u.username, u.profile_visibility, v.host,
                                coalesce(new.uploader_name, v.uploader_name))
    into new.search_vector
    from videos v, users u
   where v.id = new.video_id and u.id = new.user_id;
  new.search_vector := coalesce(new.search_vector, '');
  return new;
end $$;

create or replace trigger set_bookmark_search
  before insert or update of title, description, tags, uploader_name, video_id on bookmarks
  for each row execute function set_bookmark_search();

-- Sets the copies of bookmarks again after their collections, videos or owners changed. The caller holds the locks of
-- lock_bookmarks().
create or replace function refresh_bookmark_flags(ids bigint[]) returns void
language sql as $$
  update bookmarks b
     set effective_orientation = f.effective_orientation, effective_duration = f.effective_duration, is_held = f.is_held,
         is_public = f.is_public, is_visible = f.is_visible,
         is_listed = f.is_visible and f.lead_id is not distinct from b.id,
         lead_bookmark_id = f.lead_id, lead_created_at = f.lead_created_at, lead_orientation = f.lead_orientation,
         lead_duration = f.lead_duration
    from (select flags.*, lead.id as lead_id, lead.created_at as lead_created_at,
                 case when lead.id is not null then coalesce(flags.orientation_ruling, lead.orientation) end as lead_orientation,
                 case when lead.id is not null then coalesce(lead.duration, flags.video_duration) end as lead_duration
            from (select b.id, v.orientation_ruling, v.lead_bookmark_id, v.duration as video_duration,
                         coalesce(v.orientation_ruling, b.orientation) as effective_orientation,
                         coalesce(b.duration, v.duration) as effective_duration,
                         shared.yes and b.hold_reason is not null as is_held,
                         shared.yes and b.hold_reason is null as is_public,
                         shared.yes and b.hold_reason is null and v.status = 'visible' as is_visible
                    from bookmarks b
                    join collections c on c.id = b.collection_id
                    join videos v on v.id = b.video_id
                    join users u on u.id = b.user_id,
                    lateral (select is_shared(b.access, c.access, b.deleted_at, u.banned_at) as yes) shared
                   where b.id = any (ids)) flags
            left join bookmarks lead on lead.id = flags.lead_bookmark_id and flags.is_visible) f
   where f.id = b.id
     and (b.effective_orientation, b.effective_duration, b.is_held, b.is_public, b.is_visible, b.lead_bookmark_id,
          b.lead_created_at, b.lead_orientation, b.lead_duration)
         is distinct from
         (f.effective_orientation, f.effective_duration, f.is_held, f.is_public, f.is_visible, f.lead_id,
          f.lead_created_at, f.lead_orientation, f.lead_duration)
$$;

-- Updates the use counts of tags whose bookmarks became visible (+1) or stopped being so (-1), or changed their orientation, and
-- deletes unused tags. Sfw uses that were never counted stay unknown. The job recount-tags sets them to the number at its start, so
-- that later ones may be missing; they are never negative.
create or replace function count_tags(added bookmark_state[], removed bookmark_state[]) returns void
language plpgsql as $$
begin
  -- Locked in the order of names first, because the statements below would lock in the order of their plans.
  perform from tags
    where name in (select unnest(tags) from unnest(added) union select unnest(tags) from unnest(removed))
    order by name for no key update;
  with changes as materialized (
    select tag, amount, sfw_amount
      from (select tag, sum(step) as amount, sum(step) filter (where orientation = 'sfw') as sfw_amount
              from (select unnest(tags) as tag, 1 as step, effective_orientation as orientation from unnest(added)
                    union all select unnest(tags), -1, effective_orientation from unnest(removed)) steps
             group by tag) sums
     where amount <> 0 or sfw_amount <> 0
  ), updated as (
    update tags
       set uses_count = uses_count + amount,
           sfw_uses_count = case when sfw_uses_count + coalesce(sfw_amount, 0) < 0 then 0
                                 else sfw_uses_count + coalesce(sfw_amount, 0) end
      from changes where name = tag
    returning name
  )
  -- An upsert, because a concurrent transaction may create or delete a tag that was not locked above.
  insert into tags (name, uses_count, sfw_uses_count)
  select tag, amount, coalesce(sfw_amount, 0) from changes
   where amount > 0 and tag not in (select name from updated) order by tag
  on conflict (name) do update
     set uses_count = tags.uses_count + excluded.uses_count,
         sfw_uses_count = tags.sfw_uses_count + excluded.sfw_uses_count;
  delete from tags where name in (select unnest(tags) from unnest(removed)) and uses_count = 0;
end $$;

-- Has the statements of a function that changes many rows planned for them: PostgreSQL would use the plans that it made for
-- the first rows of the connection, perhaps of an empty table. Returns the setting to restore at the end.
create or replace function plan_for_rows(row_count integer) returns text
language plpgsql as $$
declare
  plan_cache_mode constant text := current_setting('plan_cache_mode');
begin
  -- Planning takes longer than a bad plan for a few rows.
  if row_count > 100 then
    perform set_config('plan_cache_mode', 'force_custom_plan', true);
  end if;
  return plan_cache_mode;
end $$;

-- Brings leads, saves, tag counts and search words up to date after bookmarks changed from `before` to `after` (matched
-- by id; a new bookmark is only in `after`, a deleted one only in `before`).
create or replace function sync_bookmark_aggregates(before bookmark_state[], after bookmark_state[]) returns void
language plpgsql as $$
declare
  -- Videos that gained or lost a public bookmark.
  changed_videos bigint[];
  -- Videos with another lead, or whose lead's copies changed.
  changed_leads bigint[] := '{}';
  plan_cache_mode constant text := plan_for_rows(greatest(cardinality(before), cardinality(after)));
begin
  select array_agg(distinct video_id) into changed_videos
  from (select o.video_id from unnest(before) o left join unnest(after) n using (id)
         where o.is_public and (n.is_public and n.video_id = o.video_id) is not true
        union all
        select n.video_id from unnest(after) n left join unnest(before) o using (id)
         where n.is_public and (o.is_public and n.video_id = o.video_id) is not true) changes;

  if changed_videos is not null then
    perform from videos where id = any (changed_videos) order by id for no key update;

    -- A user counts once per video, with however many bookmarks of it.
    with pairs as (
      select video_id, user_id, bool_or(was_public) as saved_before
        from (select video_id, user_id, is_public as was_public from unnest(before)
              union all select video_id, user_id, false from unnest(after)) rows
       where video_id = any (changed_videos)
       group by video_id, user_id
    ), savers as (
      select p.video_id, bool_or(b.id is not null) as saves_now,
             p.saved_before
             or bool_or(b.id is not null and b.id not in (select id from unnest(after))) as saved_before
        from pairs p
        left join bookmarks b
          on b.user_id = p.user_id and b.video_id = p.video_id and b.is_public and b.deleted_at is null
       group by p.video_id, p.user_id, p.saved_before
    ), changes as (
      select video_id, sum(saves_now::int - saved_before::int) as amount from savers group by video_id
    ), updated as (
      update videos v
         set saves_count = saves_count + changes.amount,
             lead_bookmark_id = (select id from bookmarks b
                                  where b.video_id = v.id and b.is_public order by id limit 1)
        from changes where v.id = changes.video_id
      returning v.id, old.lead_bookmark_id is distinct from new.lead_bookmark_id as has_new_lead
    )
    select coalesce(array_agg(id) filter (where has_new_lead), '{}') into changed_leads from updated;
  end if;

  select changed_leads || coalesce(array_agg(v.id), '{}') into changed_leads
    from unnest(after) n
    join unnest(before) o using (id)
    join videos v on v.lead_bookmark_id = n.id
   where (n.created_at, n.effective_orientation, n.effective_duration)
         is distinct from (o.created_at, o.effective_orientation, o.effective_duration);

  if changed_leads <> '{}' then
    update bookmarks b
       set is_listed = copy.is_listed, lead_bookmark_id = copy.lead_bookmark_id, lead_created_at = copy.lead_created_at,
           lead_orientation = copy.lead_orientation, lead_duration = copy.lead_duration
      from (select b.id, b.is_visible and b.id = lead.id as is_listed,
                   case when b.is_visible then lead.id end as lead_bookmark_id,
                   case when b.is_visible then lead.created_at end as lead_created_at,
                   case when b.is_visible then lead.effective_orientation end as lead_orientation,
                   case when b.is_visible then lead.effective_duration end as lead_duration
              from videos v
              join bookmarks b on b.video_id = v.id
              join bookmarks lead on lead.id = v.lead_bookmark_id
             where v.id = any (changed_leads)) copy
     where b.id = copy.id
       and (b.is_listed, b.lead_bookmark_id, b.lead_created_at, b.lead_orientation, b.lead_duration)
           is distinct from
           (copy.is_listed, copy.lead_bookmark_id, copy.lead_created_at, copy.lead_orientation, copy.lead_duration);
  end if;

  perform count_tags(
    array(select n from unnest(after) n where is_visible),
    array(select o from unnest(before) o where is_visible));

  insert into search_words (word)
  select distinct word
    from bookmarks b, searchable_words(b.search_vector) word
   where b.id in (select id from unnest(after) where is_visible)
   order by word
  on conflict do nothing;
  perform set_config('plan_cache_mode', plan_cache_mode, true);
end $$;

-- Words that search_words contains: long enough to be misspelt.
create or replace function searchable_words(vector tsvector) returns setof text
language sql immutable parallel safe as $$
  select word from unnest(tsvector_to_array(vector)) word where word ~ '^[[:alpha:]]{4,30}$'
$$;

-- Brings copies and counters up to date, and adds to removal_candidates what the changed bookmarks no longer use.
create or replace function bookmarks_changed() returns trigger
language plpgsql as $$
declare
  before bookmark_state[] := '{}';
  after bookmark_state[] := '{}';
begin
  if tg_op = 'INSERT' then
    select array_agg(row(id, user_id, video_id, is_public, is_visible, tags, created_at, effective_orientation,
                         effective_duration)::bookmark_state)
      into after from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(row(id, user_id, video_id, is_public, is_visible, tags, created_at, effective_orientation,
                         effective_duration)::bookmark_state)
      into before from old_rows;
    insert into removal_candidates (video_id) select distinct video_id from old_rows;
    insert into removal_candidates (word)
    select distinct word from old_rows, searchable_words(search_vector) word where is_visible;
  else
    -- A full join is never a nested loop, which PostgreSQL would plan for the few rows of the first update of a connection and
    -- use for 10,000 rows later. It stays one because its conditions can be true without a match.
    select array_agg(row(o.id, o.user_id, o.video_id, o.is_public, o.is_visible, o.tags, o.created_at,
                         o.effective_orientation, o.effective_duration)::bookmark_state),
           array_agg(row(n.id, n.user_id, n.video_id, n.is_public, n.is_visible, n.tags, n.created_at,
                         n.effective_orientation, n.effective_duration)::bookmark_state)
      into before, after
      from old_rows o full join new_rows n using (id)
     where (o.is_public, o.is_visible, o.video_id, o.tags, o.search_vector, o.created_at, o.effective_orientation,
            o.effective_duration)
           is distinct from
           (n.is_public, n.is_visible, n.video_id, n.tags, n.search_vector, n.created_at, n.effective_orientation,
            n.effective_duration);
    -- is_listed and the copies of the lead are left out: sync_bookmark_aggregates() sets them itself.
    if before is null then
      return null;
    end if;
    insert into removal_candidates (video_id)
    select distinct o.video_id from old_rows o full join new_rows n using (id)
     where coalesce(o.is_public and not n.is_public, false);
    insert into removal_candidates (word)
    select word
      from (select o.search_vector from old_rows o full join new_rows n using (id)
             where coalesce(o.is_visible and (not n.is_visible or o.search_vector <> n.search_vector), false)) changed,
           searchable_words(search_vector) word
    except
    select word from new_rows n, searchable_words(n.search_vector) word where n.is_visible;
  end if;
  if before <> '{}' or after <> '{}' then
    perform sync_bookmark_aggregates(before, after);
  end if;
  return null;
end $$;

create or replace trigger bookmarks_inserted after insert on bookmarks
  referencing new table as new_rows for each statement execute function bookmarks_changed();
create or replace trigger bookmarks_deleted after delete on bookmarks
  referencing old table as old_rows for each statement execute function bookmarks_changed();
create or replace trigger bookmarks_updated after update on bookmarks
  referencing old table as old_rows new table as new_rows for each statement execute function bookmarks_changed();

-- Reports a bookmark that a content rule withholds, whether it was saved, imported or in a collection made public. Reports
-- it once, unless a moderator rejected the earlier report since.
create or replace function report_held_bookmark() returns trigger
language plpgsql as $$
begin
  insert into reports (target_kind, target_id, video_id, bookmark_id, user_id, report_type, notes, snapshot)
  select 'video', new.video_id, new.video_id, new.id, new.user_id, 'request_moderation', new.hold_reason, new.title
   where not exists (select from reports r
                      where r.bookmark_id = new.id and r.reporter_id is null and r.status in ('open', 'approved'));
  return null;
end $$;

create or replace trigger bookmark_inserted_held after insert on bookmarks
  for each row when (new.is_held) execute function report_held_bookmark();
create or replace trigger bookmark_updated_held after update on bookmarks
  for each row when (new.is_held and not old.is_held) execute function report_held_bookmark();

-- A video was hidden, shown again, removed, given another orientation or duration, or moved to another host.
--
-- Must be an AFTER trigger: with a BEFORE trigger PostgreSQL would lock the row as if its key changed,
-- because the generated column canonical_hash is a key, and counting likes, comments and saves would deadlock with
-- inserts that reference the video.
create or replace function video_changed() returns trigger
language plpgsql as $$
declare
  ids bigint[];
begin
  if (old.status, old.orientation_ruling, old.duration)
     is distinct from (new.status, new.orientation_ruling, new.duration) then
    select array_agg(id) into ids from bookmarks where video_id = new.id;
    perform refresh_bookmark_flags(ids);
    if new.status = 'visible' and (old.status, old.orientation_ruling) is distinct from (new.status, new.orientation_ruling) then
      insert into removal_candidates (video_id) values (new.id);
    end if;
  end if;
  if old.host <> new.host then
    update bookmarks b
       set search_vector = bookmark_search_vector(b.title, b.description, b.tags, u.username, u.profile_visibility, new.host,
                                                  coalesce(b.uploader_name, new.uploader_name))
      from users u
     where b.video_id = new.id and u.id = b.user_id;
  end if;
  return null;
end $$;

create or replace trigger video_changed after update of status, orientation_ruling, duration, host on videos
  for each row when ((old.status, old.orientation_ruling, old.duration, old.host)
                     is distinct from (new.status, new.orientation_ruling, new.duration, new.host))
  execute function video_changed();

-- A video that only an open report retained may be unused now.
create or replace function report_decided() returns trigger
language plpgsql as $$
begin
  insert into removal_candidates (video_id) values (new.video_id);
  return null;
end $$;

create or replace trigger report_decided after update of status on reports
  for each row when (old.status = 'open' and new.status <> 'open' and new.video_id is not null)
  execute function report_decided();

-- Updates the bookmarks of a collection that was made private or public. If there are more than 1,000, a job updates them
-- in batches (server/features/collections/visibility-sync.ts), because a statement may take only 4 seconds.
create or replace function collection_changed() returns trigger
language plpgsql as $$
declare
  ids bigint[];
begin
  select array_agg(id) into ids from (select id from bookmarks where collection_id = new.id limit 1001) found;
  if cardinality(ids) <= 1000 then
    perform from videos
      where id in (select video_id from bookmarks where id = any (ids)) order by id for no key update;
    perform refresh_bookmark_flags(ids);
  end if;
  return null;
end $$;

create or replace trigger collection_changed after update of access on collections
  for each row when (old.access <> new.access) execute function collection_changed();

-- Takes the locks for changing or deleting existing bookmarks, in the usual order and before the triggers take them, so
-- that concurrent changes wait for each other without a deadlock.
create or replace function lock_bookmarks(ids bigint[]) returns void
language plpgsql as $$
begin
  perform from collections
    where id in (select collection_id from bookmarks where bookmarks.id = any (ids)) order by id for no key update;
  perform from videos
    where id in (select video_id from bookmarks where bookmarks.id = any (ids)) order by id for no key update;
  perform from bookmarks where bookmarks.id = any (ids) order by id for no key update;
end $$;
