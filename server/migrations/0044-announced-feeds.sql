-- The newest bookmark whose feeds were announced to the WebSub hub (docs/decisions/0068-websub.md). One row.
create table announced_feeds (
  is_only_row boolean primary key default true check (is_only_row),
  bookmark_id bigint not null
);
insert into announced_feeds (bookmark_id) select coalesce(max(id), 0) from bookmarks;
