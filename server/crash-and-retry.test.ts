/** Kills a server process during a call with an `Idempotency-Key`; the client repeats the call at another process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from './core/database/database.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { vaultDestination } from './testing/test-bookmarks.ts'
import { slowTimeouts } from './testing/test-database.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

const lockId = 4711

let site: TestApp
let alice: TestUser
/** Holds the lock that the killed process waits for. */
let lockHolder: Sql
let killedServer: { process: ChildProcess; url: string }

beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  lockHolder = connect(site.databaseUrl, { ...slowTimeouts, max: 1 })
  await site.db.unsafe(`
    create function wait_for_lock() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_lock(${lockId});
      return null;
    end $$`)
})
afterAll(async () => {
  killedServer.process.kill('SIGKILL')
  await lockHolder.end({ timeout: 5 })
  await site.close()
})

/** Starts another server process on the same database. */
async function startProcess() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  listener.close()
  const child = spawn(process.execPath, ['main.ts'], {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: site.databaseUrl,
      DATA_DIR: path.join(site.settings.dataDir, 'victim'),
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/api/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  return { process: child, url }
}

const countBookmarks = async () => {
  const [row] = await site.db<[{ count: number }]>`
    select count(*) from bookmarks where user_id = ${alice.id}`
  return row.count
}

const countLocks = async (where: string) =>
  (
    await site.db.unsafe(
      `select from pg_locks where locktype = 'advisory' and objid = ${lockId} and ${where}`,
    )
  ).length

/** Saves a bookmark at a process that waits in `trigger`, kills it there, and repeats the request at another one. */
async function saveKillAndRetry(name: string, trigger: string) {
  killedServer = await startProcess()
  const body = {
    video: { source_url: `https://films.example.org/watch/${name}`, title: 'A film' },
    bookmark: { channel_id: (await vaultDestination(site, alice)).channel_id },
  }
  const headers = {
    authorization: `Bearer ${alice.access}`,
    'idempotency-key': name,
    'content-type': 'application/json',
  }
  await lockHolder`select pg_advisory_lock(${lockId})`
  await site.db.unsafe(trigger)
  const interrupted = fetch(`${killedServer.url}/api/bookmarks/`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const outcome = interrupted.then(
    () => 'answered',
    () => 'no answer',
  )
  await expect.poll(() => countLocks('not granted')).toBe(1)
  killedServer.process.kill('SIGKILL')
  expect(await outcome).toBe('no answer')
  await lockHolder`select pg_advisory_unlock(${lockId})`
  await expect.poll(() => countLocks('true')).toBe(0)
  await site.db`drop trigger wait_for_lock on idempotency_keys`
  return site.app.inject({ method: 'POST', url: '/api/bookmarks/', headers, payload: body })
}

test('after a kill before the commit nothing was saved, and the repeated request saves the bookmark', async () => {
  const retry = await saveKillAndRetry(
    'before',
    `create trigger wait_for_lock after insert on idempotency_keys for each row execute function wait_for_lock()`,
  )
  expect([retry.statusCode, retry.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect(await countBookmarks()).toBe(1)
})

test('after a kill during the commit the repeated request gets the response and saves nothing again', async () => {
  const retry = await saveKillAndRetry(
    'during',
    `create constraint trigger wait_for_lock after insert on idempotency_keys deferrable initially deferred
       for each row execute function wait_for_lock()`,
  )
  expect([retry.statusCode, retry.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect(retry.json().video.title).toBe('A film')
  expect(await countBookmarks()).toBe(2)
})
