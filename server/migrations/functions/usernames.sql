-- Ensures that no user gets a username that another user had before and that still leads there. Of two who change their usernames
-- at the same moment, the second has waited in the index of usernames, and sees here what the first has written.
create or replace function username_is_free() returns trigger
language plpgsql as $$
begin
  if exists (select from former_usernames f where lower(f.username) = lower(new.username) and f.user_id <> new.id) then
    raise exception 'the username is a former one of another user'
      using errcode = 'unique_violation', constraint = 'former_usernames_username', table = 'former_usernames';
  end if;
  return null;
end $$;

create or replace trigger username_is_free after insert or update of username on users
  for each row execute function username_is_free();
