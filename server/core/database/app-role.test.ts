import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobTables } from '../../testing/services.ts'
import {
  createEmptyDatabase,
  createTestDatabase,
  slowTimeouts,
  type TestDatabase,
} from '../../testing/test-database.ts'
import { connect, type Sql } from './database.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let owner: Sql
let app: Sql
beforeAll(async () => {
  database = await createTestDatabase()
  owner = connect(database.url, { ...slowTimeouts, max: 1 })
  app = connect(database.appUrl, { ...slowTimeouts, max: 1 })
})
afterAll(async () => {
  await owner.end({ timeout: 5 })
  await app.end({ timeout: 5 })
  await database.drop()
})

test.each([
  'alter table audit_log disable trigger user',
  'drop trigger audit_log_is_append_only on audit_log',
  'drop function audit_log_is_append_only() cascade',
  `create or replace function audit_log_is_append_only() returns trigger language plpgsql as 'begin return new; end'`,
  'delete from audit_log',
  `update audit_log set note = ''`,
  'truncate audit_log',
  'drop table audit_log',
  'alter table audit_log owner to current_user',
  'alter table users disable trigger user',
  'alter table users drop constraint owners_are_moderators',
  'set session_replication_role = replica',
  'create table more (n int)',
  'create schema more',
  'delete from schema_migrations',
])('the application may not run: %s', async (statement) => {
  await expect(app.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
})

test('the application adds to the audit log, which stays when the account of the actor is deleted', async () => {
  const [user] = await app<[{ id: number }]>`
    insert into users (username, email) values ('moira', 'mo@example.org') returning id`
  const entry = { actor_id: user.id, actor_name: 'mo', action: 'ban', target_kind: 'user', target_id: 1 }
  await app`insert into audit_log ${app(entry)}`
  await app`delete from users where id = ${user.id}`
  const rows = await app`select actor_id, actor_name from audit_log`
  expect([...rows]).toEqual([{ actor_id: null, actor_name: 'mo' }])
})

test('every table is readable and writable for the application, except the two that it only adds to or reads', async () => {
  const rows = await owner<{ name: string; rights: string[] }[]>`
    select c.relname as name, array_agg(p.privilege_type::text order by p.privilege_type) as rights
      from pg_class c, aclexplode(c.relacl) p join pg_roles r on r.oid = p.grantee
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and r.rolname = 'reelmark_app'
     group by c.relname`
  const limited = rows.filter(({ rights }) => rights.join() !== 'DELETE,INSERT,SELECT,UPDATE')
  expect(limited).toEqual([
    { name: 'audit_log', rights: ['INSERT', 'SELECT'] },
    { name: 'schema_migrations', rights: ['SELECT'] },
  ])
  const [tables] = await owner<[{ count: number }]>`
    select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  expect(rows).toHaveLength(tables.count)
})

test("an operator's own database is migrated by an ordinary owner, and used by another role", async () => {
  const empty = await createEmptyDatabase()
  const suffix = randomBytes(4).toString('hex')
  const [ownerRole, appRole] = [`own_${suffix}`, `app_${suffix}`]
  const admin = connect(empty.url, { ...slowTimeouts, max: 1 })
  const urlFor = (role: string) => {
    const url = new URL(empty.url)
    url.username = role
    url.password = 'secret'
    return url.href
  }
  try {
    // As docs/operating.md says.
    await admin.unsafe(`create role ${ownerRole} login password 'secret'`)
    await admin.unsafe(`create role ${appRole} login password 'secret'`)
    await admin.unsafe(`alter database ${new URL(empty.url).pathname.slice(1)} owner to ${ownerRole}`)
    await migrate(urlFor(ownerRole), { appRole })
    await createJobTables(urlFor(appRole))
    // The next start.
    expect(await migrate(urlFor(ownerRole), { appRole })).toEqual([])
    const ownApp = connect(urlFor(appRole), { ...slowTimeouts, max: 1 })
    await ownApp`insert into users (username, email) values ('eve', 'eve@example.org')`
    await expect(ownApp.unsafe('alter table audit_log disable trigger user')).rejects.toMatchObject({
      code: '42501',
    })
    await ownApp.end({ timeout: 5 })
  } finally {
    await admin.end({ timeout: 5 })
    const cluster = connect(database.url, { ...slowTimeouts, max: 1 })
    await empty.drop()
    await cluster.unsafe(`drop role if exists ${ownerRole}; drop role if exists ${appRole}`)
    await cluster.end({ timeout: 5 })
  }
})
