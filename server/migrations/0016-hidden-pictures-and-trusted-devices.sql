-- The pictures of videos that are hidden or removed get addresses that no visitor has seen
-- (docs/decisions/0028-stored-pictures.md).
insert into picture_syncs (target_kind, target_id)
select 'video', id from videos where status <> 'visible' and thumbnail_key is not null
union all
select 'bookmark', b.id from videos v join bookmarks b on b.video_id = v.id
 where v.status <> 'visible' and b.is_public and b.thumbnail_key is not null
on conflict do nothing;

-- Part of the cookie of trusted devices. Increased when the user's sessions are ended, so that no cookie from before is
-- trusted any more (docs/decisions/0032-sign-in-strength.md).
alter table users add device_generation integer not null default 0;
