-- What moderators wrote down that holds a text for review, or refuses it (server/features/screening).
create table block_rules (
  id         bigint generated always as identity primary key,
  kind       text not null check (kind in ('host', 'word', 'tag')),
  -- As it is compared: a host name in ASCII, words without accents in lower case, a tag as tags are kept.
  pattern    text not null check (length(pattern) between 1 and 253),
  effect     text not null check (effect in ('hold', 'refuse')),
  note       text not null default '' check (length(note) <= 2000),
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (kind, pattern)
);
create index block_rules_creator on block_rules (created_by) where created_by is not null;
-- Whether there is anything new: asked by each process, each second in which somebody writes.
create index block_rules_updated on block_rules (updated_at);

-- A bookmark that waits for a moderator is its owner's alone until then: others' bookmarks of the video stay as they are.
alter table bookmarks
  -- What the moderator reads: the rule. Null: nothing holds it.
  add column held_for text check (length(held_for) <= 2000),
  -- It would be public otherwise; a copy that the trigger keeps, as is_public is.
  add column is_held boolean not null default false;

-- As in 0020, and nothing holds it.
create or replace function bookmark_copies() returns trigger
language plpgsql as $$
declare
  place_is_open boolean;
  video record;
begin
  -- The locks make this true until the transaction ends: neither can be changed meanwhile. The owner may be banned or
  -- let in again, but that settles their bookmarks afterwards (features/moderation/people.ts).
  select access = 'public' into place_is_open from collections where id = new.collection_id for no key update;
  select status, orientation, lead_bookmark_id into video from videos where id = new.video_id for no key update;
  new.orientation := coalesce(video.orientation, 'sfw');
  new.is_public := new.access = 'public' and place_is_open and new.deleted_at is null
    and (select banned_at is null from users where id = new.user_id);
  new.is_held := new.is_public and new.held_for is not null;
  new.is_public := new.is_public and not new.is_held;
  new.is_visible := new.is_public and video.status = 'visible';
  -- A new row has the highest id: it leads only where nothing does. bookmarks_changed() settles the rest.
  new.is_listed := new.is_visible and (video.lead_bookmark_id is null or video.lead_bookmark_id = new.id);
  return new;
end $$;
drop trigger bookmark_copies on bookmarks;
create trigger bookmark_copies
  before insert or update of access, collection_id, video_id, deleted_at, held_for on bookmarks
  for each row execute function bookmark_copies();

-- Whatever way it became one that others would see: a save, an import, a collection made public. Once, unless it was let
-- through since.
create function bookmark_held() returns trigger
language plpgsql as $$
begin
  insert into reports (target_kind, target_id, video_id, bookmark_id, user_id, report_type, notes, snapshot)
  select 'video', v.id, v.id, new.id, new.user_id, 'request_moderation', new.held_for,
         coalesce(nullif(new.title, ''), v.title)
    from videos v
   where v.id = new.video_id
     and not exists (select from reports r
                      where r.bookmark_id = new.id and r.reporter_id is null and r.status in ('open', 'approved'));
  return null;
end $$;
create trigger bookmark_held_new after insert on bookmarks
  for each row when (new.is_held) execute function bookmark_held();
create trigger bookmark_held_again after update on bookmarks
  for each row when (new.is_held and not old.is_held) execute function bookmark_held();

-- Of what is long enough to be told apart, so that the same again is known: a hash of its words.
alter table comments add column fingerprint bytea check (length(fingerprint) = 16);
create index comments_fingerprint on comments (fingerprint, created_at desc) where fingerprint is not null;
