-- Ensures that a site that has an owner keeps one.

create or replace function last_owner_stays() returns trigger
language plpgsql as $$
begin
  -- One at a time: of two owners who leave at the same moment, the second sees that the first has left.
  perform pg_advisory_xact_lock(7305111919);
  if not exists (select from users where is_owner and banned_at is null and id <> old.id) then
    raise exception 'the last owner cannot be removed'
      using errcode = 'check_violation', constraint = 'last_owner_stays', table = 'users';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;

-- Closing an account bans it.
create or replace trigger last_owner_is_not_demoted before update of is_owner, banned_at on users
  for each row when (old.is_owner and old.banned_at is null and not (new.is_owner and new.banned_at is null))
  execute function last_owner_stays();
create or replace trigger last_owner_is_not_deleted before delete on users
  for each row when (old.is_owner and old.banned_at is null)
  execute function last_owner_stays();
