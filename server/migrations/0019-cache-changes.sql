-- Numbers the changes that processes announce to each other's caches (docs/decisions/0038-shared-responses.md). Every
-- read of a session reads the last number, so it is a sequence: reading it costs one buffer access.
create sequence cache_changes;
-- The first number is used, because last_value does not tell whether it was.
select nextval('cache_changes');

-- Whether an author sees comments that others do not, read with every session.
create index comments_held on comments (user_id) where status = 'hidden';
