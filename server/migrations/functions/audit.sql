-- Makes the audit log append-only.

create or replace function audit_log_is_append_only() returns trigger
language plpgsql as $$
begin
  -- The only change allowed: the foreign key set to null when the actor's account is deleted.
  if tg_op = 'UPDATE' and new.actor_id is null
     and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id' then
    return new;
  end if;
  raise exception 'the audit log is append-only';
end $$;

create or replace trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create or replace trigger audit_log_is_not_truncated before truncate on audit_log
  for each statement execute function audit_log_is_append_only();
