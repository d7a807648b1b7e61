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

-- Encrypted values name their format (server/core/auth/encryption.ts). Those from before have the first one.
update authenticators set secret = '\x01'::bytea || secret;
update idempotency_keys set body = '\x01'::bytea || body;
do $$
begin
  -- The tables of jobs are created by the first start, after the migrations.
  if to_regclass('jobs.job') is not null then
    update jobs.job
       set data = jsonb_set(data, '{sealed}', to_jsonb(
             translate(encode('\x01'::bytea || decode(data ->> 'sealed', 'base64'), 'base64'), E'\n', '')))
     where name = 'send-mail' and data ? 'sealed';
  end if;
exception when insufficient_privilege then
  -- With an operator's own database the jobs belong to another role. Mails that are waiting now cannot be sent.
  raise notice 'waiting mails were not converted';
end $$;
