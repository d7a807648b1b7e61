import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { logIn, refreshTokens } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribeToChanges } from './core/http/cache-changes.ts'
import { createVisitorCache } from './core/http/visitor-cache.ts'
import { runAdminCommand } from './testing/admin-command.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { setUpAuthenticator } from './testing/test-second-factor.ts'
import { failedReply, signUp } from './testing/test-users.ts'

let site: TestApp
let folder: string
beforeAll(async () => {
  site = await bootApp()
  folder = await mkdtemp(path.join(tmpdir(), 'reelmark-admin-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

/** The lines of the security log that the commands wrote. */
const logged: Record<string, unknown>[] = []
const password = 'a long walk in the rain'
const admin = (args: string[], env: Record<string, string> = {}, input = password) =>
  runAdminCommand(site, folder, args, { env, input, log: logged })
const makeUser = (name: string, ...options: string[]) =>
  admin(['create-user', name, '--email', `${name}@example.org`, ...options])

describe('the operator', () => {
  test('can create accounts, with rights if requested', async () => {
    expect(await makeUser('carol')).toEqual({ code: 0, stdout: 'Created carol.', stderr: '' })
    expect((await makeUser('dora', '--moderator', '--verified')).stdout).toBe(
      'Created dora, moderator, verified.',
    )
    const { access } = await site.call(logIn, { body: { username: 'dora', password } })
    const dora = await site.call(getProfile, { params: { username: 'dora' } }, { access })
    expect(dora).toMatchObject({ is_moderator: true, is_verified: true, email: 'dora@example.org' })
    const [vault] = await site.db`select name from collections where user_id = ${dora.id}`
    expect(vault?.name).toBe('My Vault')
  })

  test.each([
    [['create-user', '', '--email', 'x@example.org'], /A username has 3 to 30/],
    [['create-user', 'x', '--email', 'x@example.org'], /A username has 3 to 30/],
    [['create-user', 'erin', '--email', 'nobody'], /not an email address/],
    [['promote', 'nobody'], /no user called nobody/],
    [['restore', 'missing.backup', '--replace'], /does not exist/],
  ])('gets a one-line error for %j', async (args, message) => {
    const { code, stdout, stderr } = await admin(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.split('\n')).toHaveLength(1)
  })

  test.each([
    ['short', /^A password has 8 to 128/],
    ['password1', /too common/],
    ['', /^A password has 8 to 128/],
  ])('gets a one-line error for the password %j on standard input', async (input, message) => {
    const { code, stdout, stderr } = await admin(['create-user', 'erin', '--email', 'e@ex.org'], {}, input)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('is warned that other users of the machine can see a password in the arguments', async () => {
    const args = ['create-user', 'paula', '--email', 'p@example.org', '--password', password]
    expect(await admin(args, {}, 'not read')).toEqual({
      code: 0,
      stdout: 'Created paula.',
      stderr: expect.stringMatching(/^Warning: .* --password/),
    })
    await site.call(logIn, { body: { username: 'paula', password } })
  })

  test('can pipe a password to the command, which reads only its first line', async () => {
    const command = spawn(
      process.execPath,
      [
        path.join(import.meta.dirname, 'admin.ts'),
        ...['create-user', 'piper', '--email', 'piper@example.org'],
      ],
      {
        env: { ...process.env, DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir },
        stdio: ['pipe', 'inherit', 'inherit'],
      },
    )
    command.stdin.end(`${password}\nmore\n`)
    expect((await once(command, 'exit'))[0]).toBe(0)
    await site.call(logIn, { body: { username: 'piper', password } })
  })

  test('can make owners, but not remove the last one', async () => {
    expect((await makeUser('olive', '--owner')).stdout).toBe('Created olive, owner.')
    for (const action of ['demote', 'ban']) {
      const { code, stderr } = await admin([action, 'olive'])
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'olive is the only owner. Make another user an owner first: promote NAME --owner',
      })
    }
    await makeUser('oscar')
    expect((await admin(['promote', 'oscar', '--owner'])).stdout).toBe('oscar is now an owner.')
    const demotions = await Promise.all([admin(['demote', 'olive']), admin(['demote', 'oscar'])])
    expect(demotions.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(await site.db`select from users where is_owner`).toHaveLength(1)
  })

  test.each([
    ['umberto', [], {}],
    ['viktor', ['--moderator', '--verified'], { is_moderator: true, is_verified: true }],
    ['wanda', ['--owner'], { is_moderator: true, is_owner: true }],
  ])(
    'creates an account, %s with %j, that the audit log records with its rights',
    async (name, options, rights) => {
      await makeUser(name, ...options)
      const log = await site.db`
      select actor_name, action, before, after from audit_log
       where target_kind = 'user' and target_id = (select id from users where username = ${name})`
      const after = { is_moderator: false, is_owner: false, is_verified: false, ...rights }
      expect([...log]).toEqual([{ actor_name: 'operator', action: 'create-user', before: null, after }])
    },
  )

  test('gets an error if a username or e-mail address is taken', async () => {
    await makeUser('frank')
    expect((await makeUser('Frank')).stderr).toBe('The username is already taken.')
    const sameAddress = ['create-user', 'frank2', '--email', 'FRANK@example.org']
    expect((await admin(sameAddress)).stderr).toBe('The email address is already taken.')
  })

  test.each([
    [[]],
    [['fly', 'high']],
    [['promote']],
    [['promote', 'a', 'b']],
    [['promote', 'a', '--verified']],
    [['create-user', 'a']],
    [['backup', '--force', 'f']],
  ])('sees the usage for the arguments %j', async (args) => {
    const { code, stderr } = await admin(args)
    expect(code).toBe(2)
    expect(stderr).toContain('Usage: npm run admin')
  })

  test('can promote and demote moderators, effective from the next request and recorded in the audit log', async () => {
    const grace = await signUp(site, 'grace')
    const isModerator = async () =>
      (await site.call(getProfile, { params: { username: 'grace' } }, grace)).is_moderator
    expect((await admin(['promote', 'GRACE'])).stdout).toBe('grace is now a moderator.')
    expect(await isModerator()).toBe(true)
    expect((await admin(['demote', 'grace'])).stdout).toBe('grace is no longer a moderator.')
    expect(await isModerator()).toBe(false)
    const log = await site.db`
      select actor_name, action, before, after from audit_log where target_id = ${grace.id} order by id`
    const [demoted, promoted] = [false, true].map((is_moderator) => ({
      is_moderator,
      is_owner: false,
      is_verified: false,
      banned_at: null,
    }))
    expect([...log]).toEqual([
      { actor_name: 'operator', action: 'promote', before: demoted, after: promoted },
      { actor_name: 'operator', action: 'demote', before: promoted, after: demoted },
    ])
  })

  test('can end the sessions of one user and those of all users', async () => {
    const [ruth, sam, tess] = [
      await signUp(site, 'ruth'),
      await signUp(site, 'sam'),
      await signUp(site, 'tess'),
    ]
    const isSignedIn = async (user: { username: string; access: string }) =>
      (
        await site.app.inject({
          url: `/api/profile/${user.username}/`,
          headers: { authorization: `Bearer ${user.access}` },
        })
      ).statusCode === 200
    expect((await admin(['end-all-sessions', 'RUTH'])).stdout).toBe('Ended 1 session of RUTH.')
    expect(await Promise.all([ruth, sam, tess].map(isSignedIn))).toEqual([false, true, true])
    expect((await admin(['end-all-sessions'])).stdout).toMatch(/^Ended \d+ sessions of all users\.$/)
    expect(await Promise.all([ruth, sam, tess].map(isSignedIn))).toEqual([false, false, false])
    expect((await failedReply(site.call(refreshTokens, { body: { refresh: sam.refresh } }))).status).toBe(401)
    const log = await site.db`
      select actor_name, action from audit_log where target_id in (${ruth.id}, ${tess.id}) order by target_id`
    expect([...log]).toEqual([
      { actor_name: 'operator', action: 'end-sessions' },
      { actor_name: 'operator', action: 'end-sessions' },
    ])
    expect((await admin(['merge-duplicates'])).stdout).toMatch(/^Compared \d+ videos: 0 are merged/)
    expect((await admin(['end-all-sessions', 'nobody'])).stderr).toBe('There is no user called nobody.')
  })

  test('leaves a line in the security log with each command, without e-mail address or password', async () => {
    logged.length = 0
    await admin(['create-user', '--email', 'gwen@example.org', 'gwen', '--moderator'])
    await admin(['promote', 'gwen', '--owner'])
    await admin(['promote', 'nobody'])
    await admin(['ban', 'gwen@example.org'])
    const line = (call: string, target: string | null, outcome: string) =>
      expect.objectContaining({
        security: true,
        event: 'operator-action',
        outcome,
        actor_id: 'operator',
        target,
        call,
      })
    expect(logged).toEqual([
      line('create-user --moderator', 'gwen', 'success'),
      line('promote --owner', 'gwen', 'success'),
      line('promote', 'nobody', 'failed'),
      line('ban', null, 'failed'),
    ])
    expect(JSON.stringify(logged)).not.toMatch(/example\.org|long walk/)
  })

  test('can ban a user, which ends all sessions, and lift the ban', async () => {
    const mallory = await signUp(site, 'mallory')
    const { username } = mallory
    const { id } = await saveFilm(site, mallory, 'of-mallory')
    await site.call(
      createAccessToken,
      { body: { name: 'A script', scopes: ['read'], expires_in_days: null } },
      mallory,
    )
    expect((await admin(['ban', 'mallory'])).stdout).toBe(
      'mallory is banned. All their sessions were ended, and their content is hidden.',
    )
    const loadBookmark = () => site.call(getBookmark, { params: { id } })
    expect((await failedReply(loadBookmark())).status).toBe(404)
    expect((await failedReply(site.call(getProfile, { params: { username } }, mallory))).status).toBe(401)
    expect((await failedReply(site.call(refreshTokens, { body: { refresh: mallory.refresh } }))).status).toBe(
      401,
    )
    const again = site.call(logIn, { body: { username, password: mallory.password } })
    expect((await failedReply(again)).status).toBe(403)
    const [open] = await site.db`
      select count(*) from sessions where user_id = ${mallory.id} and ended_at is null`
    expect(open?.count).toBe(0)
    // As after a ban by a moderator, none works again when the ban is lifted.
    expect(await site.db`select from access_tokens where user_id = ${mallory.id}`).toHaveLength(0)
    expect((await admin(['unban', 'mallory'])).stdout).toBe('mallory is no longer banned.')
    await site.call(logIn, { body: { username, password: mallory.password } })
    expect(await loadBookmark()).toMatchObject({ id })
  })

  test('tells the running site of a ban, so that its cache is emptied', async () => {
    await signUp(site, 'malvin')
    const cache = createVisitorCache(60_000)
    await subscribeToChanges(site.db, cache)
    await expect.poll(() => cache.appliedChange, { timeout: 30_000 }).toBeGreaterThan(0)
    await cache.getOrCreate('/', async () => ({ status: 200, body: 'with content of malvin' }))
    expect(cache.statistics().entries).toBe(1)
    await admin(['ban', 'malvin'])
    await expect.poll(() => cache.statistics().entries, { timeout: 30_000 }).toBe(0)
  })

  test('can give and remove the verified badge', async () => {
    const vera = await signUp(site, 'vera')
    const isVerified = async () =>
      (await site.call(getProfile, { params: { username: vera.username } })).is_verified
    expect((await admin(['verify', 'vera'])).stdout).toBe('vera now has the verified badge.')
    expect(await isVerified()).toBe(true)
    expect((await admin(['unverify', 'vera'])).stdout).toBe('vera no longer has the verified badge.')
    expect(await isVerified()).toBe(false)
  })

  test('can remove all second factors of a user, which is recorded in the audit log', async () => {
    const olga = await signUp(site, 'olga')
    await setUpAuthenticator(site, olga)
    const login = () => site.call(logIn, { body: { username: 'olga', password: olga.password } })
    expect((await failedReply(login())).status).toBe(403)
    expect((await admin(['remove-second-factor', 'olga'])).stdout).toBe(
      'The second factors of olga were removed. The password alone is enough to log in.',
    )
    expect((await login()).username).toBe('olga')
    const [log] = await site.db`select action from audit_log where target_id = ${olga.id}`
    expect(log?.action).toBe('remove-second-factor')
    expect((await admin(['remove-second-factor', 'nobody'])).stderr).toBe('There is no user called nobody.')
  })
})

test('the operator can replace keys, and reads what users notice', async () => {
  expect(await admin(['rotate-keys', 'unsubscribe', 'device'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^Replaced 2 keys\. What users notice:\n {2}device: .+\n {2}unsubscribe: .+$/,
    ),
    stderr: '',
  })
  expect(await admin(['rotate-keys', 'nothing'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no key called nothing\./),
  })
})

test('without DATABASE_URL the embedded database is started for the command and stopped afterwards', {
  tags: 'heavy',
}, async () => {
  const env = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'embedded') }
  const args = ['create-user', 'admin', '--email', 'a@example.org', '--moderator']
  expect(await admin(args, env)).toEqual({ code: 0, stdout: 'Created admin, moderator.', stderr: '' })
  expect((await admin(['demote', 'admin'], env)).stdout).toBe('admin is no longer a moderator.')
})
