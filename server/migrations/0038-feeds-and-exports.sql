-- Feeds at secret addresses, and exports in other formats (docs/decisions/0060-feeds-and-discovery.md).

alter table access_tokens drop constraint access_tokens_scopes_check;
alter table access_tokens add constraint access_tokens_scopes_check
  check (cardinality(scopes) > 0 and scopes <@ '{read,write,moderate,feed}'::text[]);

alter table exports
  add column format text not null default 'json' check (format in ('json', 'html', 'csv')),
  -- What is exported; both null: everything. Deleting a collection deletes its exports.
  add column collection_id bigint references collections on delete cascade,
  add column smart_collection_id bigint references smart_collections on delete cascade,
  add constraint exports_have_one_source check (collection_id is null or smart_collection_id is null),
  -- The file that imports read contains everything.
  add constraint exports_json_is_complete
    check (format <> 'json' or (collection_id is null and smart_collection_id is null));
-- The cascades.
create index exports_of_collection on exports (collection_id) where collection_id is not null;
create index exports_of_smart_collection on exports (smart_collection_id) where smart_collection_id is not null;
