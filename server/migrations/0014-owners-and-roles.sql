-- Owners rank above moderators, and are moderators themselves: only they appoint and dismiss moderators. The last owner
-- cannot be removed: see last_owner_stays().
alter table users add is_owner boolean not null default false,
  add constraint owners_are_moderators check (is_moderator or not is_owner);
-- Whether the site has an owner.
create index users_owners on users (id) where is_owner;
