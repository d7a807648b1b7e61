/** A server process is killed while it answers a call with an `Idempotency-Key`; the client tries again elsewhere. */
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

const lock = 4711

let site: TestApp
let alice: TestUser
/** Holds the lock that the process to be killed waits for. */
let holder: Sql
let victim: { process: ChildProcess; url: string }

beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  holder = connect(site.databaseUrl, { ...slowTimeouts, max: 1 })
  await site.db.unsafe(`
    create function wait_for_lock() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_lock(${lock});
      return null;
    end $$`)
})
afterAll(async () => {
  victim.process.kill('SIGKILL')
  await holder.end({ timeout: 5 })
  await site.close()
})

/** A server process of its own on the same database. */
async function startProcess() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  listener.close()
  const started = spawn(process.execPath, ['main.ts'], {
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
  return { process: started, url }
}

const count = async () => {
  const [row] = await site.db<[{ count: number }]>`
    select count(*) from bookmarks where user_id = ${alice.id}`
  return row.count
}

const backends = async (where: string) =>
  (await site.db.unsafe(`select from pg_locks where locktype = 'advisory' and objid = ${lock} and ${where}`))
    .length

/** Saves a bookmark through a process that waits at `trigger`, kills it there, and sends the same to another one. */
async function saveKillAndRetry(name: string, trigger: string) {
  victim = await startProcess()
  const body = {
    video: { source_url: `https://films.example.org/watch/${name}`, title: 'A film' },
    bookmark: { channel_id: (await vaultDestination(site, alice)).channel_id },
  }
  const headers = {
    authorization: `Bearer ${alice.access}`,
    'idempotency-key': name,
    'content-type': 'application/json',
  }
  await holder`select pg_advisory_lock(${lock})`
  await site.db.unsafe(trigger)
  const lost = fetch(`${victim.url}/api/bookmarks/`, { method: 'POST', headers, body: JSON.stringify(body) })
  const outcome = lost.then(
    () => 'answered',
    () => 'no answer',
  )
  await expect.poll(() => backends('not granted')).toBe(1)
  victim.process.kill('SIGKILL')
  expect(await outcome).toBe('no answer')
  await holder`select pg_advisory_unlock(${lock})`
  await expect.poll(() => backends('true')).toBe(0)
  await site.db`drop trigger wait_for_lock on idempotency_keys`
  return site.app.inject({ method: 'POST', url: '/api/bookmarks/', headers, payload: body })
}

test('killed before the commit: nothing was saved, and the retry saves it at once', async () => {
  const retry = await saveKillAndRetry(
    'before',
    `create trigger wait_for_lock after insert on idempotency_keys for each row execute function wait_for_lock()`,
  )
  expect([retry.statusCode, retry.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect(await count()).toBe(1)
})

test('killed during the commit, before the reply: the retry gets the reply and saves nothing again', async () => {
  const retry = await saveKillAndRetry(
    'during',
    `create constraint trigger wait_for_lock after insert on idempotency_keys deferrable initially deferred
       for each row execute function wait_for_lock()`,
  )
  expect([retry.statusCode, retry.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect(retry.json().video.title).toBe('A film')
  expect(await count()).toBe(2)
})
