-- The collection that a report is about, which the reporter saw by its secret link. The target of the report is its owner.
alter table reports add column collection_id bigint references collections (id) on delete set null;

-- Deleting a collection, and the reports about it.
create index reports_collection on reports (collection_id) where collection_id is not null;
