-- Triggers that plan the checks whether videos are available (docs/decisions/0076-video-health.md).

-- A new video was requested when it was saved, so that its first check is some hours later.
create or replace function plan_health_checks() returns trigger
language plpgsql as $$
begin
  insert into video_health (video_id, host, next_check_at)
  select id, host, now() + interval '12 hours' + random() * interval '24 hours' from new_rows
  on conflict do nothing;
  return null;
end $$;

create or replace trigger plan_health_checks after insert on videos
  referencing new table as new_rows
  for each statement execute function plan_health_checks();

-- A video got another link, from a moderator: what was found about the old one does not apply, and the new one is checked soon.
-- Must be an AFTER trigger, as video_changed().
create or replace function clear_missing() returns trigger
language plpgsql as $$
begin
  update videos
     set missing_since = null, missing_found_at = null, missing_since_bookmark_id = null, missing_confirmed_bookmark_id = null
   where id = new.id and missing_since is not null;
  return null;
end $$;

create or replace trigger clear_missing after update of canonical_url on videos
  for each row when (old.canonical_url is distinct from new.canonical_url) execute function clear_missing();

create or replace function restart_health_checks() returns trigger
language plpgsql as $$
begin
  update video_health
     set host = new.host, outcome = null, checked_at = null, failed_days = 0, failed_since = null, failed_at = null,
         failed_bookmark_ids = '{}', down_since = null, next_check_at = now()
   where video_id = new.id;
  return null;
end $$;

create or replace trigger restart_health_checks after update of canonical_url, host on videos
  for each row when ((old.canonical_url, old.host) is distinct from (new.canonical_url, new.host))
  execute function restart_health_checks();
