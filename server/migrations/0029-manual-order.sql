-- The order of the bookmarks in a collection or channel (docs/decisions/0050-manual-order.md).

-- The order in which a list is shown and played unless the request names another one.
alter table collections add column list_order text not null default 'newest'
  check (list_order in ('newest', 'oldest', 'title', 'manual'));
alter table channels add column list_order text not null default 'newest'
  check (list_order in ('newest', 'oldest', 'title', 'manual'));

-- Keys of the manual order: texts in byte order, between any two of which there is another one. The server generates them
-- (server/features/bookmarks/order/order-keys.ts). Null: the bookmark was never moved in that list, and its key is
-- time_order_key() of its time.
alter table bookmarks
  add column collection_order_key text collate "C"
    check (length(collection_order_key) <= 100 and collection_order_key ~ '^M[0-9a-f]{14}([0-9a-f]*[1-9a-f])?$'),
  add column channel_order_key text collate "C"
    check (length(channel_order_key) <= 100 and channel_order_key ~ '^M[0-9a-f]{14}([0-9a-f]*[1-9a-f])?$');

-- The order key of a time: later times have lower keys, so that new bookmarks come first. The id makes it unique. An integer
-- part of 14 hexadecimal digits (`M`), and a fraction that must not end in 0. Indexes depend on it, so it never changes.
create function time_order_key(at timestamptz, id bigint) returns text
language sql immutable parallel safe as $$
  select 'M' || lpad(to_hex(36028797018963967 - (extract(epoch from at) * 1000000)::bigint), 14, '0')
             || lpad(to_hex(9007199254740991 - id), 14, '0') || '8'
$$;

-- Collections and channels in their manual order.
create index bookmarks_of_collection_by_key
  on bookmarks (collection_id, (coalesce(collection_order_key, time_order_key(created_at, id)) collate "C"), id);
create index bookmarks_of_channel_by_key
  on bookmarks (channel_id, (coalesce(channel_order_key, time_order_key(created_at, id)) collate "C"), id)
  where channel_id is not null;
