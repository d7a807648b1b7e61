-- More that files hold.
alter table import_parts drop constraint import_parts_kind_check;
alter table import_parts add check (kind in (
  'profile', 'collections', 'bookmarks', 'likes', 'watched', 'blocked', 'following', 'muted_people', 'muted_tags'));
