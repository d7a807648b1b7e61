import { readFile } from 'node:fs/promises'
import { logIn, refreshTokens } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { setUpAuthenticator } from '../../testing/test-second-factor.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { connect, type Sql } from '../database/database.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { decrypt } from './encryption.ts'
import { rotateKeys } from './rotate-keys.ts'
import { keyInventory, keyNames, loadServerKeys } from './server-keys.ts'

let site: TestApp
let alice: TestUser
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
let count = 0
beforeEach(async () => {
  count += 1
  alice = await signUp(site, `alice${count}`)
})

/** The connections of the site under test have another name than those of a worker, so that it counts as stopped. */
async function rotate(...names: string[]) {
  const rotated = await rotateKeys(site.app.deps.db, names)
  // As a restart does.
  Object.assign(site.serverKeys, await loadServerKeys(site.db))
  return rotated
}
const values = async () =>
  Object.fromEntries(
    (await site.db`select name, encode(value, 'hex') as value from server_keys`).map((r) => [
      r.name,
      r.value,
    ]),
  )

test('every key is replaced, or only the named ones', async () => {
  const before = await values()
  expect(await rotate('device', 'unsubscribe')).toEqual(['device', 'unsubscribe'])
  const some = await values()
  expect(keyNames.filter((name) => some[name] !== before[name])).toEqual(['device', 'unsubscribe'])
  await rotate()
  const all = await values()
  expect(keyNames.filter((name) => all[name] === some[name])).toEqual([])
})

test('authenticator apps and waiting mails survive a rotation', async () => {
  const { secret } = await setUpAuthenticator(site, alice)
  const keysBefore = { ...site.serverKeys }
  const message = { to: alice.email, subject: 'Hello', text: 'A secret link', html: '' }
  await site.db.begin((tx) => queueMail(tx, { jobs: site.app.deps.jobs, serverKeys: keysBefore }, message))
  await rotate()
  const keys = await loadServerKeys(site.db)
  const [app] = await site.db<
    [{ secret: Buffer }]
  >`select secret from authenticators where user_id = ${alice.id}`
  expect(decrypt(keys.authenticator, String(alice.id), app.secret)).toBe(secret)
  expect(() => decrypt(keysBefore.authenticator, String(alice.id), app.secret)).toThrow()
  const mails = await site.db<{ data: { id: string; sealed: string } }[]>`
    select data from jobs.job where name = 'send-mail' order by created_on desc`
  const texts = mails.map(({ data }) =>
    decrypt(keys['waiting-mail'], data.id, Buffer.from(data.sealed, 'base64')),
  )
  expect(texts.join()).toContain('A secret link')
})

test('a rotated refresh key ends all sessions', async () => {
  await rotate('refresh-token')
  const [open] = await site.db`select count(*)::int from sessions where ended_at is null`
  expect(open?.count).toBe(0)
  expect((await failedReply(site.call(refreshTokens, { body: { refresh: alice.refresh } }))).status).toBe(401)
  const pair = await site.call(logIn, { body: { username: alice.username, password: alice.password } })
  expect(await site.call(getProfile, { params: { username: alice.username } }, pair)).toHaveProperty('email')
})

test('if a stored value cannot be decrypted, nothing is changed', async () => {
  await setUpAuthenticator(site, alice)
  await site.db`update authenticators set secret = '\\x00' where user_id = ${alice.id}`
  const before = await values()
  await expect(rotate()).rejects.toThrow()
  expect(await values()).toEqual(before)
  await site.db`delete from authenticators where user_id = ${alice.id}`
})

test('the keys of a running site are not replaced', async () => {
  const worker: Sql = connect(site.databaseUrl, { max: 1, applicationName: 'reelmark' })
  await worker`select 1`
  const before = await values()
  await expect(rotate()).rejects.toThrow('The site is running')
  await worker.end({ timeout: 5 })
  expect(await values()).toEqual(before)
})

test('an unknown key is an error that names the keys', async () => {
  await expect(rotate('access')).rejects.toThrow(/no key called access\. The keys are: access-token/)
})

test('the keys are described in docs/operating.md exactly as in the inventory', async () => {
  const text = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => /^\| `[a-z-]+` \| (signature|encryption) \|/.test(line))
  expect(rows).toEqual(
    Object.entries(keyInventory).map(
      ([name, { use, purpose, onRotation }]) => `| \`${name}\` | ${use} | ${purpose} | ${onRotation} |`,
    ),
  )
})
