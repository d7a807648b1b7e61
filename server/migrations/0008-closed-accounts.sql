-- Accounts that their owners deleted. Closed in one short statement, which nobody can wait for; what they kept is then
-- taken away in batches, and the row goes last. See server/features/auth/accounts/remove-account.ts.

-- Since when. Closed is banned too: whatever hides the banned and turns them away does so with the closed, from the
-- same moment on. Name and e-mail are made-up ones from then on; the real ones are free again.
alter table users add column closed_at timestamptz,
  add check (closed_at is null or banned_at is not null);
-- Those whose removal a crash interrupted.
create index users_closed on users (closed_at) where closed_at is not null;

-- Follows from (collection_id, user_id), whose collection has that user. Without it a save looks at one row less, and
-- deleting a user needs no index of all bookmarks by their user.
alter table bookmarks drop constraint bookmarks_user_id_fkey;

-- A moderator's account goes: their decisions stay.
create index reports_decider on reports (decided_by) where decided_by is not null;

-- The daily removal.
create index access_tokens_expired on access_tokens (expires_at) where expires_at is not null;

-- Whether anybody else uses a picture that is about to be deleted.
create index users_avatar on users (avatar_key) where avatar_key is not null;
create index collections_picture on collections (picture_key) where picture_key is not null;
create index channels_picture on channels (picture_key) where picture_key is not null;

-- Whoever edits a video's words without saying whose they are makes them nobody's (0003): now after the update. With
-- any trigger before it, PostgreSQL locks the row as if its key changed, since canonical_hash, a generated column, is
-- one; and then every count of likes, comments and saves waited for whoever refers to it, in a circle where two
-- did at once.
drop trigger video_words on videos;
create or replace function video_words() returns trigger
language plpgsql as $$
begin
  update videos set words_by = null where id = new.id and words_by is not null;
  return null;
end $$;
create trigger video_words after update of title, description, tags on videos
  for each row when ((old.title, old.description, old.tags) is distinct from (new.title, new.description, new.tags)
                     and new.words_by is not distinct from old.words_by)
  execute function video_words();
