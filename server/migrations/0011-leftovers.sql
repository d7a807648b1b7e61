-- Rows without a use are removed, and nothing of a private bookmark reaches other users
-- (docs/decisions/0029-nothing-left-and-nothing-crosses.md).

-- Videos that lost a bookmark, and search words of bookmarks that are no longer visible. A job removes what nothing uses
-- any more. Without keys, so that adding a row never waits for another transaction.
create table removal_candidates (
  video_id bigint,
  word     text,
  check (num_nonnulls(video_id, word) = 1)
);

-- Tags are those of visible bookmarks only. Their ids are computed from their names by tag_id(), so that an id does not
-- reveal whether another user has the tag privately.
delete from tags where uses_count = 0;
alter table tags drop column id;
alter table tags drop constraint tags_name_key;
alter table tags add primary key (name);

-- Responses are encrypted with a key that is derived from the client's key, which is stored as a hash only.
delete from idempotency_keys;
alter table idempotency_keys drop column key, drop column body;
alter table idempotency_keys
  add column key_hash bytea not null check (length(key_hash) = 32),
  add column body bytea not null,
  add primary key (user_id, key_hash);

-- The id of a video is derived from its canonical URL by derive_video_id(), so that it is the same whether or not another user
-- saved the video before. The key prevents users from computing ids: they could create links with equal ids, and see from
-- the collision whether a link is saved.
insert into server_keys (name, value)
values ('video-id', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Existing videos get such ids, too. The foreign keys are dropped meanwhile, and triggers disabled: they would rewrite
-- every bookmark. The audit log is append-only by a trigger. If two new ids were equal (1 in 10,000 for a million videos),
-- this migration would fail, and succeed when repeated, with another key.
alter table bookmarks drop constraint bookmarks_video_id_fkey;
alter table watched_videos drop constraint watched_videos_video_id_fkey;
alter table likes drop constraint likes_video_id_fkey;
alter table comments drop constraint comments_video_id_fkey;
alter table moderation_decisions drop constraint moderation_decisions_video_id_fkey;
alter table reports drop constraint reports_video_id_fkey;
alter table notifications drop constraint notifications_video_id_fkey;
alter table videos alter column id drop identity;

create temporary table new_video_ids on commit drop as
  select id as old_id,
         ('x' || left(encode(sha256((select value from server_keys where name = 'video-id') || canonical_hash || int4send(0)),
                             'hex'), 13))::bit(52)::bigint as new_id
    from videos;
create unique index on new_video_ids (old_id);
create unique index on new_video_ids (new_id);
analyze new_video_ids;

alter table bookmarks disable trigger user;
alter table comments disable trigger user;
alter table audit_log disable trigger user;
-- Above all derived ids first: an id that is not yet replaced may equal a new one.
update videos set id = id + (1::bigint << 52);
update videos set id = new_id from new_video_ids where id = old_id + (1::bigint << 52);
update bookmarks b
   set video_id = new_id, random_key = ('x' || left(md5(new_id::text), 13))::bit(52)::bigint / 4503599627370496.0::float8
  from new_video_ids where b.video_id = old_id;
update watched_videos set video_id = new_id from new_video_ids where video_id = old_id;
update likes set video_id = new_id from new_video_ids where video_id = old_id;
update comments set video_id = new_id from new_video_ids where video_id = old_id;
update moderation_decisions set video_id = new_id from new_video_ids where video_id = old_id;
update moderation_decisions set target_id = new_id from new_video_ids where target_kind = 'video' and target_id = old_id;
update moderation_claims set target_id = new_id from new_video_ids where target_kind = 'video' and target_id = old_id;
update reports set video_id = new_id from new_video_ids where video_id = old_id;
update reports set target_id = new_id from new_video_ids where target_kind = 'video' and target_id = old_id;
update picture_syncs set target_id = new_id from new_video_ids where target_kind = 'video' and target_id = old_id;
update notifications set video_id = new_id from new_video_ids where video_id = old_id;
update audit_log set target_id = new_id from new_video_ids where target_kind = 'video' and target_id = old_id;
alter table bookmarks enable trigger user;
alter table comments enable trigger user;
alter table audit_log enable trigger user;

alter table bookmarks add foreign key (video_id) references videos on delete cascade;
alter table watched_videos add foreign key (video_id) references videos on delete cascade;
alter table likes add foreign key (video_id) references videos on delete cascade;
alter table comments add foreign key (video_id) references videos on delete cascade;
alter table moderation_decisions add foreign key (video_id) references videos on delete set null;
-- A report outlives its video.
alter table reports add foreign key (video_id) references videos on delete set null;
alter table notifications add foreign key (video_id) references videos on delete cascade;

-- What was left behind so far. The job removes it, and moves the facts of videos without a public bookmark.
insert into removal_candidates (video_id) select id from videos where lead_bookmark_id is null;
insert into removal_candidates (word) select word from search_words;
