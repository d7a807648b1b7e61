import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { logIn, refreshTokens } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from './admin.ts'
import { decrypt } from './core/auth/encryption.ts'
import { loadServerKeys } from './core/auth/server-keys.ts'
import { connect, type Sql } from './core/database/database.ts'
import { createMediaKey, openMediaStore } from './core/media/store.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { createEmptyDatabase } from './testing/test-database.ts'
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

interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/** The lines of the security log that the commands wrote. */
const logged: Record<string, unknown>[] = []

async function admin(
  args: string[],
  env: Record<string, string> = {},
  input = password,
): Promise<CommandResult> {
  const result: CommandResult = { code: -1, stdout: '', stderr: '' }
  result.code = await runAdmin(
    args,
    { DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir, INIT_CWD: folder, ...env },
    {
      print: (text) => {
        result.stdout += text
      },
      printError: (text) => {
        result.stderr += text
      },
      readPassword: async () => input,
      logStream: { write: (line) => logged.push(JSON.parse(line)) },
    },
  )
  return result
}

const password = 'a long walk in the rain'
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

/** Returns every row of every table as text, except the tables that a backup omits. */
async function readAllRows(db: Sql): Promise<Record<string, string[]>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in
       ('sessions', 'password_resets', 'email_changes', 'one_time_tickets', 'idempotency_keys', 'rate_limits',
        'removal_candidates', 'server_keys', 'schema_migrations')
     order by relname`
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const found = await db<{ row: string }[]>`select t::text as row from ${db(name)} t order by 1`
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

/** Inserts unusual texts, private content, and rows that refer to each other. */
async function insertContent(db: Sql, userId: number): Promise<void> {
  await db.begin(async (tx) => {
    const unusualText = 'tab\there, \\N, \\., "quoted"\nnew line, 🎬 e\u0301'
    const [video] = await tx`
      insert into videos (canonical_url, source_url, host)
      values ('https://example.org/v', 'https://example.org/v', 'example.org') returning id`
    const [vault] = await tx`select id from collections where user_id = ${userId}`
    await tx`
      insert into bookmarks (user_id, video_id, collection_id, title, description, tags)
      values (${userId}, ${video?.id}, ${vault?.id}, ${unusualText}, ${unusualText}, ${['one', 'two, three']})`
    await tx`update users set default_bookmark_collection = ${vault?.id} where id = ${userId}`
    await tx`insert into likes (user_id, video_id) values (${userId}, ${video?.id})`
    const [comment] = await tx`
      insert into comments (video_id, user_id, content) values (${video?.id}, ${userId}, ${unusualText}) returning id`
    await tx`
      insert into comments (video_id, user_id, parent_id, content)
      values (${video?.id}, ${userId}, ${comment?.id}, 'a reply')`
  })
}

describe('a backup', () => {
  const picture = Buffer.from([0, 10, 255, 10, 13])

  async function createTarget() {
    const database = await createEmptyDatabase()
    const dataDir = await mkdtemp(path.join(folder, 'data-'))
    const db = connect(database.url, { max: 2 })
    return {
      db,
      dataDir,
      admin: (args: string[]) => admin(args, { DATABASE_URL: database.url, DATA_DIR: dataDir }),
      async drop() {
        await db.end({ timeout: 5 })
        await database.drop()
      },
    }
  }

  test('restored into an empty database contains every row, picture and counter', async () => {
    const alice = await signUp(site, 'alice')
    await insertContent(site.db, alice.id)
    await admin(['promote', 'alice'])
    const key = createMediaKey()
    await openMediaStore(site.settings).put(key, picture)
    await site.db`update users set avatar_key = ${key} where id = ${alice.id}`
    const backup = await admin(['backup', 'whole.backup'])
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(backup.stdout).toMatch(/whole\.backup: \d+ rows of \d+ tables and 1 pictures, 0\.\d MB\.$/)
    expect((await stat(path.join(folder, 'whole.backup'))).mode & 0o777).toBe(0o600)

    const target = await createTarget()
    const restored = await target.admin(['restore', path.join(folder, 'whole.backup')])
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(await readAllRows(target.db)).toEqual(await readAllRows(site.db))
    const restoredPicture = await openMediaStore({ dataDir: target.dataDir, s3Url: null }).get(key)
    expect(Buffer.concat((await restoredPicture?.stream.toArray()) ?? [])).toEqual(picture)

    // Triggers and foreign keys are restored, and new ids continue after the highest one.
    const likes = async () => (await target.db`select max(likes_count) as count from videos`)[0]?.count
    expect(await likes()).toBe(1)
    await target.db`delete from likes`
    expect(await likes()).toBe(0)
    await expect(
      target.db`insert into likes (user_id, video_id) values (${alice.id}, 999999)`,
    ).rejects.toThrow(/foreign key/)
    await expect(target.db`delete from audit_log`).rejects.toThrow(/append-only/)
    const [next] =
      await target.db`insert into collections (user_id, name) values (${alice.id}, 'New') returning id`
    const [last] = await site.db`select max(id) as id from collections`
    expect(next?.id).toBeGreaterThan(last?.id)
    await target.drop()
  })

  test('keeps authenticator apps working after it is restored', async () => {
    const petra = await signUp(site, 'petra')
    const { secret } = await setUpAuthenticator(site, petra)
    await admin(['backup', 'apps.backup'])
    const target = await createTarget()
    await target.admin(['restore', path.join(folder, 'apps.backup')])
    const [restored] = await target.db<{ secret: Buffer }[]>`
      select secret from authenticators where user_id = ${petra.id}`
    const { authenticator: key } = await loadServerKeys(target.db)
    expect(decrypt(key, String(petra.id), restored?.secret ?? Buffer.alloc(0))).toBe(secret)
    await target.drop()
  })

  test('contains neither sessions nor signing keys', async () => {
    await admin(['backup', 'keys.backup'])
    const { gunzipSync } = await import('node:zlib')
    const text = gunzipSync(await readFile(path.join(folder, 'keys.backup'))).toString('latin1')
    expect(text).toContain('"table":"users"')
    for (const table of ['server_keys', 'sessions', 'password_resets', 'email_changes', 'idempotency_keys'])
      expect(text).not.toContain(`"table":"${table}"`)
  })

  test('is consistent even if users save while it is written', { tags: 'heavy' }, async () => {
    let isRunning = true
    const writers = Array.from({ length: 3 }, async (_, n) => {
      for (let k = 0; isRunning; k++) await signUpDirectly(`busy-${n}-${k}`)
    })
    for (let n = 0; n < 3; n++) expect((await admin(['backup', `busy${n}.backup`])).code).toBe(0)
    isRunning = false
    await Promise.all(writers)
    const target = await createTarget()
    expect((await target.admin(['restore', path.join(folder, 'busy2.backup')])).stderr).toBe('')
    const [withoutCollection] = await target.db`
      select count(*) from users u where not exists (select from collections c where c.user_id = u.id)`
    expect(withoutCollection?.count).toBe(0)
    await target.drop()
  })

  test('replaces existing data only with --replace, and ends all sessions', async () => {
    const judy = await signUp(site, 'judy')
    await admin(['backup', 'before.backup'])
    await makeUser('newcomer')
    const refused = await admin(['restore', 'before.backup'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/not empty.*--replace/)
    expect((await admin(['restore', 'before.backup', '--replace'])).code).toBe(0)
    const status = async (username: string, as?: { access: string }) =>
      (await failedReply(site.call(getProfile, { params: { username } }, as))).status
    expect(await status('newcomer')).toBe(404)
    expect(await status('judy', judy)).toBe(401)
    const pair = await site.call(logIn, { body: { username: 'judy', password: judy.password } })
    expect(await site.call(getProfile, { params: { username: 'judy' } }, pair)).toHaveProperty('email')
  })

  test('that is truncated, damaged or another file changes nothing', async () => {
    await admin(['backup', 'good.backup'])
    const good = path.join(folder, 'good.backup')
    const { size } = await stat(good)
    const bytes = await readFile(good)
    const damaged = Buffer.from(bytes)
    damaged[Math.floor(size / 2)] = (damaged[Math.floor(size / 2)] ?? 0) ^ 0xff
    await writeFile(path.join(folder, 'damaged.backup'), damaged)
    await writeFile(path.join(folder, 'other.backup'), 'hello')
    await writeFile(path.join(folder, 'short.backup'), bytes)
    await truncate(path.join(folder, 'short.backup'), size - 40)
    const before = await readAllRows(site.db)
    for (const name of ['damaged', 'other', 'short']) {
      const { code, stderr } = await admin(['restore', `${name}.backup`, '--replace'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/damaged or truncated|not a backup of Reelmark/)
    }
    expect(await readAllRows(site.db)).toEqual(before)
  })

  test('never overwrites a file, and leaves no partial file behind', async () => {
    await writeFile(path.join(folder, 'mine.txt'), 'original')
    expect((await admin(['backup', 'mine.txt'])).code).toBe(1)
    expect(await readFile(path.join(folder, 'mine.txt'), 'utf8')).toBe('original')
    expect((await admin(['backup', 'no/such/folder.backup'])).code).toBe(1)
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  async function signUpDirectly(username: string): Promise<void> {
    await site.db`
      with new_user as (insert into users (username, email) values (${username}, ${`${username}@x`}) returning id)
      insert into collections (user_id, name) select id, 'My Vault' from new_user`
  }
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
