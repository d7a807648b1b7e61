-- Tags of a user's bookmarks: how many bookmarks have each, and replacing them
-- (docs/decisions/0049-tags-and-smart-collections.md).

-- Adds amounts to the counts of tags in user_tags. The arrays are null if no count changes. Rows are locked by user and name,
-- after those of bookmark.sql.
create or replace function count_user_tags(user_ids bigint[], names text[], amounts bigint[]) returns void
language plpgsql as $$
declare
  plan_cache_mode constant text := plan_for_rows(cardinality(names));
begin
  if user_ids is null then
    return;
  end if;
  perform from user_tags t
    join unnest(user_ids, names) as step (user_id, name) using (user_id, name)
   order by t.user_id, t.name for no key update of t;
  update user_tags t set bookmarks_count = t.bookmarks_count + amount
    from unnest(user_ids, names, amounts) as step (user_id, name, amount)
   where t.user_id = step.user_id and t.name = step.name and amount < 0;
  insert into user_tags (user_id, name, bookmarks_count)
  select user_id, name, amount from unnest(user_ids, names, amounts) as step (user_id, name, amount)
   where amount > 0 order by user_id, name
  on conflict (user_id, name) do update set bookmarks_count = user_tags.bookmarks_count + excluded.bookmarks_count;
  delete from user_tags t using unnest(user_ids, names, amounts) as step (user_id, name, amount)
   where t.user_id = step.user_id and t.name = step.name and amount < 0 and t.bookmarks_count = 0;
  perform set_config('plan_cache_mode', plan_cache_mode, true);
end $$;

-- Counts the tags of bookmarks that were saved, changed, moved to the trash, restored or deleted.
create or replace function bookmark_tags_changed() returns trigger
language plpgsql as $$
declare
  user_ids bigint[];
  names text[];
  amounts bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(user_id), array_agg(name), array_agg(amount) into user_ids, names, amounts
      from (select user_id, name, count(*) as amount from new_rows, unnest(tags) name
             where deleted_at is null group by user_id, name) steps;
  elsif tg_op = 'DELETE' then
    select array_agg(user_id), array_agg(name), array_agg(amount) into user_ids, names, amounts
      from (select user_id, name, -count(*) as amount from old_rows, unnest(tags) name
             where deleted_at is null group by user_id, name) steps;
  else
    select array_agg(user_id), array_agg(name), array_agg(amount) into user_ids, names, amounts
      from (select user_id, name, sum(step) as amount
              from (select o.user_id as old_user_id, case when o.deleted_at is null then o.tags end as old_tags,
                           n.user_id as new_user_id, case when n.deleted_at is null then n.tags end as new_tags
                      -- Not a nested loop, as in bookmarks_changed().
                      from old_rows o full join new_rows n using (id)
                     where (o.tags, o.deleted_at is null) is distinct from (n.tags, n.deleted_at is null)) changed,
                   lateral (select old_user_id, unnest(old_tags), -1
                            union all select new_user_id, unnest(new_tags), 1) step (user_id, name, step)
             group by user_id, name having sum(step) <> 0) steps;
  end if;
  perform count_user_tags(user_ids, names, amounts);
  return null;
end $$;

create or replace trigger tags_of_bookmarks_inserted after insert on bookmarks
  referencing new table as new_rows for each statement execute function bookmark_tags_changed();
create or replace trigger tags_of_bookmarks_deleted after delete on bookmarks
  referencing old table as old_rows for each statement execute function bookmark_tags_changed();
create or replace trigger tags_of_bookmarks_updated after update on bookmarks
  referencing old table as old_rows new table as new_rows for each statement execute function bookmark_tags_changed();

-- The tags of a bookmark with `replacement` instead of each of `names`, once and where the first of them was. Null deletes.
create or replace function replace_tags(tags text[], names text[], replacement text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(tag order by position), '{}')
    from (select replaced.tag, min(position) as position
            from unnest(tags) with ordinality as old (tag, position),
            lateral (select case when old.tag = any (names) then replacement else old.tag end as tag) replaced
           where replaced.tag is not null
           group by replaced.tag) positions
$$;

-- The tags of a bookmark after undoing replace_tags(before, names, replacement), which the user may have changed since.
-- Unchanged if the user has removed the replacement since, or if the bookmark would have too many tags.
create or replace function undo_replace_tags(current text[], before text[], names text[], replacement text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  missing constant text[] := array(
    select tag from unnest(before) with ordinality as old (tag, position)
     where tag = any (names) and tag <> all (current) order by position);
  was_added constant boolean := replacement is not null and replacement <> all (before);
  replacement_index integer;
  restored text[];
begin
  if current = replace_tags(before, names, replacement) then
    return before;
  end if;
  if not was_added then
    restored := current || missing;
  else
    replacement_index := array_position(current, replacement);
    if replacement_index is null then
      return current;
    end if;
    restored := current[:replacement_index - 1] || missing || current[replacement_index + 1:];
  end if;
  return case when cardinality(restored) <= 30 then restored else current end;
end $$;
