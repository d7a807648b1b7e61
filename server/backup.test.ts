/** Backups: what they contain, and how they are restored. */
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { logIn } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decrypt } from './core/auth/encryption.ts'
import { loadServerKeys } from './core/auth/server-keys.ts'
import { connect, type Sql } from './core/database/database.ts'
import { createMediaKey, openMediaStore } from './core/media/store.ts'
import { runAdminCommand } from './testing/admin-command.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { createEmptyDatabase } from './testing/test-database.ts'
import { setUpAuthenticator } from './testing/test-second-factor.ts'
import { failedReply, signUp } from './testing/test-users.ts'

let site: TestApp
let folder: string
beforeAll(async () => {
  site = await bootApp()
  folder = await mkdtemp(path.join(tmpdir(), 'reelmark-backup-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

const admin = (args: string[], env: Record<string, string> = {}) =>
  runAdminCommand(site, folder, args, { env })

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
    const keys = await loadServerKeys(target.db)
    for (const name of ['collection-link', 'webhook'] as const)
      expect(keys[name].equals(site.serverKeys[name]), name).toBe(true)
    const { authenticator: key } = keys
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
    await admin(['create-user', 'newcomer', '--email', 'newcomer@example.org'])
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
      // The damaged byte can be in the name of a table or column.
      expect(stderr).toMatch(
        /damaged or truncated|not a backup of Reelmark|holds an unknown table|has columns that the database does not have/,
      )
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
