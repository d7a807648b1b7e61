-- What users pinned to the top of their profiles, in their order (docs/decisions/0093-profiles-notifications-sessions.md).
create table profile_pins (
  user_id       bigint not null references users on delete cascade,
  position      smallint not null check (position between 1 and 6),
  -- One of the two. The statement that inserts a bookmark checks its owner, who never changes.
  bookmark_id   bigint references bookmarks on delete cascade,
  collection_id bigint,
  created_at    timestamptz not null default now(),
  primary key (user_id, position),
  foreign key (collection_id, user_id) references collections (id, user_id) on delete cascade,
  check (num_nonnulls(bookmark_id, collection_id) = 1)
);
-- Each is pinned once, by its owner. Also the cascades from bookmarks and collections.
create unique index profile_pins_bookmark on profile_pins (bookmark_id) where bookmark_id is not null;
create unique index profile_pins_collection on profile_pins (collection_id) where collection_id is not null;
