-- What stands for a collection or channel: the picture of one of its bookmarks, which its owner chose. No reference: one
-- that left the place, or is gone, is passed over where it is read, and counts again when it is restored; a foreign key
-- would lock the collection after the bookmark, against the order of locks. See docs/decisions/0017-place-pictures.md.
alter table collections add column picture_bookmark bigint;
alter table channels add column picture_bookmark bigint;
-- Never filled: pictures of a place were to be files of its own. Their indexes go with them.
alter table collections drop column picture_key;
alter table channels drop column picture_key;

-- A collection was made private or public: so is everything in it. More than 1,000 bookmarks are settled in batches, by
-- whoever changes it (server/features/collections/visibility-sync.ts): one statement has 4 seconds.
create or replace function collection_changed() returns trigger
language plpgsql as $$
begin
  if (select count(*) from (select from bookmarks where collection_id = new.id limit 1001) counted) > 1000 then
    return null;
  end if;
  perform from videos
    where id in (select video_id from bookmarks where collection_id = new.id) order by id for no key update;
  update bookmarks set access = access where collection_id = new.id;
  return null;
end $$;
