import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect, type Sql } from '../core/database/database.ts'
import { migrate } from '../core/database/migrate.ts'
import { describeSchema } from '../testing/describe-schema.ts'
import { createEmptyDatabase, slowTimeouts, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase
let sql: Sql

beforeEach(async () => {
  database = await createEmptyDatabase()
  sql = connect(database.url, { ...slowTimeouts, max: 1 })
})
afterEach(async () => {
  await sql.end({ timeout: 5 })
  await database.drop()
})

it('schema.sql describes the database that the migrations create', async () => {
  await migrate(database.url)
  const described = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8').replaceAll('\r\n', '\n')
  expect(await describeSchema(sql), 'Run "npm run schema" and commit server/migrations/schema.sql.').toBe(
    described,
  )
})

it('the description of a schema is in a fixed format', async () => {
  await sql.unsafe(`
    create table b (id bigint generated always as identity primary key, "when" timestamptz default now());
    create unlogged table a (
      b_id bigint not null references b on delete cascade,
      n int not null default 1 check (n > 0)
    ) with (fillfactor = 70);
    create index a_n on a (n desc) where n > 5;
    create function f() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger f after insert on a for each statement execute function f();`)
  const [, ...blocks] = (await describeSchema(sql)).split('\n\n')
  expect(blocks.join('\n\n')).toBe(`create unlogged table a (
  b_id bigint not null,
  n    integer not null default 1,
  constraint a_n_check CHECK (n > 0),
  constraint a_b_id_fkey FOREIGN KEY (b_id) REFERENCES b(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX a_n ON a USING btree (n DESC) WHERE n > 5;
CREATE TRIGGER f AFTER INSERT ON a FOR EACH STATEMENT EXECUTE FUNCTION f();

create table b (
  id     bigint not null generated always as identity,
  "when" timestamp with time zone default now(),
  constraint b_pkey PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION public.f()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin return null; end $function$;
`)
})

it('every kind of change to a schema changes its description', async () => {
  const changes = [
    'create table t (id int)',
    'alter table t alter id type bigint',
    'alter table t alter id set not null',
    'alter table t alter id set default 1',
    'alter table t add name text collate "C"',
    'alter table t add doubled bigint generated always as (id * 2) stored',
    'alter table t add constraint positive check (id > 0)',
    'alter table t drop constraint positive, add constraint positive check (id > 1)',
    'alter table t add primary key (id)',
    'create unique index t_name on t (lower(name))',
    'create statistics t_statistics on id, name from t',
    'alter table t set (fillfactor = 80)',
    'create function f() returns trigger language plpgsql as $$ begin return new; end $$',
    'create or replace function f() returns trigger language plpgsql as $$ begin return null; end $$',
    'create function f(a int) returns int language sql as $$ select a $$',
    'create trigger t_changed before update on t for each row execute function f()',
    'create or replace trigger t_changed before update of id on t for each row execute function f()',
    'create type pair as (a int, b int)',
    'alter type pair alter attribute b type text',
    "create type level as enum ('low')",
    "alter type level add value 'high' before 'low'",
    'create domain score as int check (value > 0)',
    'create sequence counter',
    'create view names as select name from t',
    'create materialized view ids as select id from t',
    'create extension unaccent',
    'create text search configuration plain (copy = simple)',
    'alter text search configuration plain alter mapping for word with unaccent, simple',
  ]
  const seen = new Set([await describeSchema(sql)])
  for (const change of changes) {
    await sql.unsafe(change)
    const text = await describeSchema(sql)
    expect(seen.has(text), change).toBe(false)
    seen.add(text)
  }
})
