import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { logIn, refreshTokens } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from './admin.ts'
import { decrypt } from './core/auth/encryption.ts'
import { loadServerKeys } from './core/auth/server-keys.ts'
import { connect, type Sql } from './core/database/database.ts'
import { mediaKey, openMediaStore } from './core/media/store.ts'
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

interface Spoken {
  code: number
  said: string
  complained: string
}

async function admin(words: string[], env: Record<string, string> = {}): Promise<Spoken> {
  const spoken: Spoken = { code: -1, said: '', complained: '' }
  spoken.code = await runAdmin(
    words,
    { DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir, INIT_CWD: folder, ...env },
    {
      print: (text) => {
        spoken.said += text
      },
      printError: (text) => {
        spoken.complained += text
      },
    },
  )
  return spoken
}

const password = 'a long walk in the rain'
const makeUser = (name: string, ...more: string[]) =>
  admin(['create-user', name, '--email', `${name}@example.org`, '--password', password, ...more])

describe('the operator', () => {
  test('makes accounts that can log in, with rights where they say so', async () => {
    expect(await makeUser('carol')).toEqual({ code: 0, said: 'Made carol.', complained: '' })
    expect((await makeUser('dora', '--moderator', '--verified')).said).toBe(
      'Made dora, a moderator, verified.',
    )
    const { access } = await site.call(logIn, { body: { username: 'dora', password } })
    const dora = await site.call(getProfile, { params: { username: 'dora' } }, { access })
    expect(dora).toMatchObject({ is_moderator: true, is_verified: true, email: 'dora@example.org' })
    const [vault] = await site.db`select name from collections where user_id = ${dora.id}`
    expect(vault?.name).toBe('My Vault')
  })

  test.each([
    [['create-user', 'x', '--email', 'x@example.org', '--password', password], /A name has 3 to 30/],
    [['create-user', 'erin', '--email', 'nobody', '--password', password], /no email address/],
    [['create-user', 'erin', '--email', 'e@example.org', '--password', 'short'], /8 to 128/],
    [['create-user', 'erin', '--email', 'e@example.org', '--password', 'password1'], /too common/],
    [['promote', 'nobody'], /nobody called nobody/],
    [['restore', 'missing.backup', '--replace'], /does not exist/],
  ])('is told in one line why %j was not done', async (words, why) => {
    const { code, said, complained } = await admin(words)
    expect({ code, said }).toEqual({ code: 1, said: '' })
    expect(complained).toMatch(why)
    expect(complained.split('\n')).toHaveLength(1)
  })

  test('is told that a name or an address is taken', async () => {
    await makeUser('frank')
    expect((await makeUser('Frank')).complained).toBe('Somebody has that name already.')
    const sameAddress = ['create-user', 'frank2', '--email', 'FRANK@example.org', '--password', password]
    expect((await admin(sameAddress)).complained).toBe('Somebody has that email address already.')
  })

  test.each([
    [[]],
    [['fly', 'high']],
    [['promote']],
    [['promote', 'a', 'b']],
    [['promote', 'a', '--verified']],
    [['create-user', 'a']],
    [['backup', '--force', 'f']],
  ])('sees the usage for %j', async (words) => {
    const { code, complained } = await admin(words)
    expect(code).toBe(2)
    expect(complained).toContain('Usage: npm run admin')
  })

  test('makes moderators and unmakes them, which counts from the next request on and is logged', async () => {
    const grace = await signUp(site, 'grace')
    const isModerator = async () =>
      (await site.call(getProfile, { params: { username: 'grace' } }, grace)).is_moderator
    expect((await admin(['promote', 'GRACE'])).said).toBe('grace is a moderator.')
    expect(await isModerator()).toBe(true)
    expect((await admin(['demote', 'grace'])).said).toBe('grace is no moderator.')
    expect(await isModerator()).toBe(false)
    const log = await site.db`
      select actor_name, action, before, after from audit_log where target_id = ${grace.id} order by id`
    const [no, yes] = [false, true].map((is_moderator) => ({
      is_moderator,
      is_verified: false,
      banned_at: null,
    }))
    expect([...log]).toEqual([
      { actor_name: 'operator', action: 'promote', before: no, after: yes },
      { actor_name: 'operator', action: 'demote', before: yes, after: no },
    ])
  })

  test('bans somebody, who is out at once and stays out', async () => {
    const mallory = await signUp(site, 'mallory')
    const { username } = mallory
    const { id } = await saveFilm(site, mallory, 'of-mallory')
    expect((await admin(['ban', 'mallory'])).said).toBe(
      'mallory is banned, signed out everywhere, and nothing of theirs is shown.',
    )
    const seen = () => site.call(getBookmark, { params: { id } })
    expect((await failedReply(seen())).status).toBe(404)
    expect((await failedReply(site.call(getProfile, { params: { username } }, mallory))).status).toBe(401)
    expect((await failedReply(site.call(refreshTokens, { body: { refresh: mallory.refresh } }))).status).toBe(
      401,
    )
    const again = site.call(logIn, { body: { username, password: mallory.password } })
    expect((await failedReply(again)).status).toBe(403)
    const [open] = await site.db`
      select count(*) from sessions where user_id = ${mallory.id} and ended_at is null`
    expect(open?.count).toBe(0)
    expect((await admin(['unban', 'mallory'])).said).toBe('mallory may come in again.')
    await site.call(logIn, { body: { username, password: mallory.password } })
    expect(await seen()).toMatchObject({ id })
  })

  test('gives a badge and takes it', async () => {
    const vera = await signUp(site, 'vera')
    const isVerified = async () =>
      (await site.call(getProfile, { params: { username: vera.username } })).is_verified
    expect((await admin(['verify', 'vera'])).said).toBe('vera has a badge.')
    expect(await isVerified()).toBe(true)
    expect((await admin(['unverify', 'vera'])).said).toBe('vera has no badge.')
    expect(await isVerified()).toBe(false)
  })

  test('lets in by the password alone who lost every second factor, and logs it', async () => {
    const olga = await signUp(site, 'olga')
    await setUpAuthenticator(site, olga)
    const login = () => site.call(logIn, { body: { username: 'olga', password: olga.password } })
    expect((await failedReply(login())).status).toBe(403)
    expect((await admin(['remove-second-factor', 'olga'])).said).toBe('olga logs in by the password alone.')
    expect((await login()).username).toBe('olga')
    const [log] = await site.db`select action from audit_log where target_id = ${olga.id}`
    expect(log?.action).toBe('remove-second-factor')
    expect((await admin(['remove-second-factor', 'nobody'])).complained).toBe(
      'There is nobody called nobody.',
    )
  })
})

/** Every row of every table as text, but of those that a backup leaves out. */
async function everything(db: Sql): Promise<Record<string, string[]>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in
       ('sessions', 'password_resets', 'email_changes', 'one_time_tickets', 'idempotency_keys', 'rate_limits',
        'server_keys', 'schema_migrations')
     order by relname`
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const found = await db<{ row: string }[]>`select t::text as row from ${db(name)} t order by 1`
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

/** Odd texts, private things, and tables that refer to each other. */
async function fill(db: Sql, userId: number): Promise<void> {
  await db.begin(async (tx) => {
    const odd = 'tab\there, \\N, \\., "quoted"\nnew line, 🎬 e\u0301'
    const [video] = await tx`
      insert into videos (canonical_url, source_url, host)
      values ('https://example.org/v', 'https://example.org/v', 'example.org') returning id`
    const [vault] = await tx`select id from collections where user_id = ${userId}`
    await tx`
      insert into bookmarks (user_id, video_id, collection_id, title, description, tags)
      values (${userId}, ${video?.id}, ${vault?.id}, ${odd}, ${odd}, ${['one', 'two, three']})`
    await tx`update users set default_bookmark_collection = ${vault?.id} where id = ${userId}`
    await tx`insert into likes (user_id, video_id) values (${userId}, ${video?.id})`
    const [comment] = await tx`
      insert into comments (video_id, user_id, content) values (${video?.id}, ${userId}, ${odd}) returning id`
    await tx`
      insert into comments (video_id, user_id, parent_id, content)
      values (${video?.id}, ${userId}, ${comment?.id}, 'a reply')`
  })
}

describe('a backup', () => {
  const picture = Buffer.from([0, 10, 255, 10, 13])

  async function newPlace() {
    const database = await createEmptyDatabase()
    const dataDir = await mkdtemp(path.join(folder, 'data-'))
    const db = connect(database.url, { max: 2 })
    return {
      db,
      dataDir,
      admin: (words: string[]) => admin(words, { DATABASE_URL: database.url, DATA_DIR: dataDir }),
      async leave() {
        await db.end({ timeout: 5 })
        await database.drop()
      },
    }
  }

  test('put into another, empty database gives every row, picture and counter back', async () => {
    const alice = await signUp(site, 'alice')
    await fill(site.db, alice.id)
    await admin(['promote', 'alice'])
    await openMediaStore(site.settings).put(mediaKey(picture), picture)
    const backup = await admin(['backup', 'whole.backup'])
    expect(backup).toMatchObject({ code: 0, complained: '' })
    expect(backup.said).toMatch(/whole\.backup: \d+ rows of \d+ tables and 1 pictures, 0\.\d MB\.$/)
    expect((await stat(path.join(folder, 'whole.backup'))).mode & 0o777).toBe(0o600)

    const destination = await newPlace()
    const restored = await destination.admin(['restore', path.join(folder, 'whole.backup')])
    expect(restored).toMatchObject({ code: 0, complained: '' })
    expect(await everything(destination.db)).toEqual(await everything(site.db))
    const there = await openMediaStore({ dataDir: destination.dataDir, s3Url: null }).get(mediaKey(picture))
    expect(Buffer.concat((await there?.stream.toArray()) ?? [])).toEqual(picture)

    // What guards the data is back too: triggers, foreign keys, and ids that go on where they were.
    const likes = async () => (await destination.db`select max(likes_count) as most from videos`)[0]?.most
    expect(await likes()).toBe(1)
    await destination.db`delete from likes`
    expect(await likes()).toBe(0)
    await expect(
      destination.db`insert into likes (user_id, video_id) values (${alice.id}, 999999)`,
    ).rejects.toThrow(/foreign key/)
    await expect(destination.db`delete from audit_log`).rejects.toThrow(/append-only/)
    const [next] = await destination.db`insert into tags (name) values ('new') returning id`
    const [last] = await site.db`select max(id) as id from tags`
    expect(next?.id).toBeGreaterThan(last?.id)
    await destination.leave()
  })

  test('keeps authenticator apps working where it is put back', async () => {
    const petra = await signUp(site, 'petra')
    const { secret } = await setUpAuthenticator(site, petra)
    await admin(['backup', 'apps.backup'])
    const destination = await newPlace()
    await destination.admin(['restore', path.join(folder, 'apps.backup')])
    const [kept] = await destination.db<{ secret: Buffer }[]>`
      select secret from authenticators where user_id = ${petra.id}`
    const { authenticator: key } = await loadServerKeys(destination.db)
    expect(decrypt(key, String(petra.id), kept?.secret ?? Buffer.alloc(0))).toBe(secret)
    await destination.leave()
  })

  test('holds no session and no key that signs', async () => {
    await admin(['backup', 'keys.backup'])
    const { gunzipSync } = await import('node:zlib')
    const text = gunzipSync(await readFile(path.join(folder, 'keys.backup'))).toString('latin1')
    expect(text).toContain('"table":"users"')
    for (const table of ['server_keys', 'sessions', 'password_resets', 'email_changes', 'idempotency_keys'])
      expect(text).not.toContain(`"table":"${table}"`)
  })

  test('is of one moment, although people go on saving while it is written', async () => {
    let going = true
    const people = Array.from({ length: 3 }, async (_, n) => {
      for (let k = 0; going; k++) await signUpDirectly(`busy-${n}-${k}`)
    })
    for (let n = 0; n < 3; n++) expect((await admin(['backup', `busy${n}.backup`])).code).toBe(0)
    going = false
    await Promise.all(people)
    const destination = await newPlace()
    expect((await destination.admin(['restore', path.join(folder, 'busy2.backup')])).complained).toBe('')
    const [torn] = await destination.db`
      select count(*) from users u where not exists (select from collections c where c.user_id = u.id)`
    expect(torn?.count).toBe(0)
    await destination.leave()
  })

  test('takes the place of what is there only when told to, and signs everybody out', async () => {
    const judy = await signUp(site, 'judy')
    await admin(['backup', 'before.backup'])
    await makeUser('newcomer')
    const refused = await admin(['restore', 'before.backup'])
    expect(refused.code).toBe(1)
    expect(refused.complained).toMatch(/not empty.*--replace/)
    expect((await admin(['restore', 'before.backup', '--replace'])).code).toBe(0)
    const status = async (username: string, as?: { access: string }) =>
      (await failedReply(site.call(getProfile, { params: { username } }, as))).status
    expect(await status('newcomer')).toBe(404)
    expect(await status('judy', judy)).toBe(401)
    const pair = await site.call(logIn, { body: { username: 'judy', password: judy.password } })
    expect(await site.call(getProfile, { params: { username: 'judy' } }, pair)).toHaveProperty('email')
  })

  test('that is cut short, damaged or something else changes nothing', async () => {
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
    const before = await everything(site.db)
    for (const name of ['damaged', 'other', 'short']) {
      const { code, complained } = await admin(['restore', `${name}.backup`, '--replace'])
      expect(code).toBe(1)
      expect(complained).toMatch(/damaged or truncated|not a backup of Reelmark/)
    }
    expect(await everything(site.db)).toEqual(before)
  })

  test('never overwrites a file, and leaves none behind when it fails', async () => {
    await writeFile(path.join(folder, 'mine.txt'), 'precious')
    expect((await admin(['backup', 'mine.txt'])).code).toBe(1)
    expect(await readFile(path.join(folder, 'mine.txt'), 'utf8')).toBe('precious')
    expect((await admin(['backup', 'no/such/folder.backup'])).code).toBe(1)
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  async function signUpDirectly(username: string): Promise<void> {
    await site.db`
      with made as (insert into users (username, email) values (${username}, ${`${username}@x`}) returning id)
      insert into collections (user_id, name) select id, 'My Vault' from made`
  }
})

test('without DATABASE_URL the embedded database is used, started for this and stopped again', async () => {
  const env = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'embedded') }
  const words = ['create-user', 'admin', '--email', 'a@example.org', '--password', password, '--moderator']
  expect(await admin(words, env)).toEqual({ code: 0, said: 'Made admin, a moderator.', complained: '' })
  expect((await admin(['demote', 'admin'], env)).said).toBe('admin is no moderator.')
})
