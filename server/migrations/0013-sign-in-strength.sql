-- A session ends 90 days (2160 hours) after the login at the latest, however often it is refreshed.
update sessions set expires_at = created_at + interval '2160 hours'
 where expires_at > created_at + interval '2160 hours';
alter table sessions add constraint sessions_have_a_maximum_age
  check (expires_at <= created_at + interval '2160 hours');

-- Recovery codes are hashed with Argon2id. The codes stored before cannot be converted, because only their fast hashes
-- are known: their users create new ones in Settings.
delete from recovery_codes;
alter table recovery_codes drop column code_hash;
-- Encoded, with parameters and salt. The codes of a user share one salt, so that verifying a code takes one hash.
alter table recovery_codes
  add column code_hash text not null check (code_hash like '$argon2id$%'),
  add primary key (user_id, code_hash);
