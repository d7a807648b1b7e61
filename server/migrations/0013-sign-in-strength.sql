-- A session ends 90 days (2160 hours) after the login at the latest, however often it is refreshed.
update sessions set expires_at = created_at + interval '2160 hours'
 where expires_at > created_at + interval '2160 hours';
alter table sessions add constraint sessions_have_a_maximum_age
  check (expires_at <= created_at + interval '2160 hours');
