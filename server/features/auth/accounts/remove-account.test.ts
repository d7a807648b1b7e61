import { setTimeout as sleep } from 'node:timers/promises'
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { logIn, refreshTokens, register } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runAdmin } from '../../../admin.ts'
import { hashPassword } from '../../../core/auth/passwords.ts'
import { mediaKey } from '../../../core/media/store.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { unfinishedRemovalsQueue } from './remove-account.ts'
import { removalSteps } from './remove-account-queries.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let people = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `Alice${people}`)
  bob = await signUp(site, `Bob${people}`)
})

const leave = (person = alice, password = person.password) =>
  site.call(deleteAccount, { body: { password } }, person)
const profile = (person: TestUser, as: TestUser | null = null) =>
  site.call(getProfile, { params: { username: person.username } }, as)
const explore = async () => (await site.call(listVideos, { query: { page_size: 100 } })).results
const row = async (query: Promise<readonly Record<string, unknown>[]>) => (await query)[0]

/** Saves in bulk, without the forms. */
async function saveMany(person: TestUser, count: number, prefix: string): Promise<void> {
  await site.db`
    insert into videos (canonical_url, source_url, host)
    select ${prefix} || n, 'https://example.org/', 'example.org'
      from generate_series(1, ${count}::int) n on conflict do nothing`
  for (let from = 0; from < count; from += 250) {
    await site.db`
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${person.id}, v.id, c.id, 'Film ' || v.id, array['t' || v.id % 7]
        from (select * from videos where canonical_url like ${`${prefix}%`} order by id limit 250 offset ${from}) v,
             (select id from collections where user_id = ${person.id} limit 1) c`
  }
}

describe('somebody who deletes their account', () => {
  test('is gone with the answer: nobody signs in, profile and bookmarks are not there', async () => {
    const { id } = await saveFilm(site, alice, `gone${people}`)
    const { access, refresh } = await site.call(logIn, {
      body: { username: alice.username, password: alice.password },
    })
    expect(await leave()).toBeNull()

    const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
    expect(await failedReply(profile(alice))).toEqual(missing)
    expect(await failedReply(site.call(getBookmark, { params: { id } }, bob))).toEqual(missing)
    expect((await failedReply(profile(alice, { ...alice, access }))).status).toBe(401)
    expect((await failedReply(site.call(refreshTokens, { body: { refresh } }))).status).toBe(401)
    for (const username of [alice.username, alice.email]) {
      const logging = site.call(logIn, { body: { username, password: alice.password } })
      expect((await failedReply(logging)).status).toBe(401)
    }
    expect(await site.db`select from users where id = ${alice.id}`).toHaveLength(0)
    expect((await explore()).filter((item) => item.id === id)).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('gets a mail for goodbye; name and address are free at once', async () => {
    await leave()
    const { username, email, password } = alice
    const again = await site.call(register, { body: { username, email, password, password2: password } })
    expect(again.id).not.toBe(alice.id)
    const [mail] = await waitForMailsTo(site, email)
    expect(mail?.headers.subject).toBe('Your Reelmark account was deleted')
    expect(mail?.text).toContain(`Hello ${username},`)
  })

  test('must give the password, which is told at its field', async () => {
    const others = 'a password of somebody else'
    await site.db`update users set password_hash = ${await hashPassword(others)} where id = ${bob.id}`
    expect(await failedReply(leave(alice, others))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Incorrect password. Try again.'] },
    })
    await site.db`update users set password_hash = null where id = ${alice.id}`
    expect(await failedReply(leave())).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Your account has no password. Set one from Settings → Account.'] },
    })
    expect((await failedReply(site.call(deleteAccount, { body: { password: 'x' } }, null))).status).toBe(401)
    expect((await profile(alice)).user_id).toBe(alice.id)
  })

  test('once, of several at the same moment', async () => {
    const answers = await Promise.allSettled([leave(), leave(), leave()])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect([400, 401]).toContain(answer.reason.status)
    await waitForMailsTo(site, alice.email, 1)
  })

  test('leaves their words behind, as nobody’s, and the reports and the log', async () => {
    const { video } = await saveFilm(site, bob, `words${people}`)
    const { db } = site
    const comment = await row(db`
      insert into comments (video_id, user_id, content) values (${video.id}, ${alice.id}, 'mine') returning id`)
    await db`
      insert into comments (video_id, user_id, content, parent_id)
      values (${video.id}, ${alice.id}, 'my reply', ${comment?.id as number}),
             (${video.id}, ${bob.id}, 'his reply', ${comment?.id as number})`
    await db`
      insert into reports (reporter_id, target_kind, target_id, video_id, report_type)
      values (${alice.id}, 'video', ${video.id}, ${video.id}, 'broken_source')`
    await db`
      insert into reports (reporter_id, target_kind, target_id, user_id, report_type, snapshot)
      values (${bob.id}, 'user', ${alice.id}, ${alice.id}, 'spam', ${alice.username})`
    await db`
      insert into audit_log (actor_id, actor_name, action, target_kind, target_id)
      values (${alice.id}, ${alice.username}, 'hide', 'video', ${video.id})`
    await leave()
    expect(await db`select content, user_id from comments where video_id = ${video.id} order by id`).toEqual([
      { content: 'mine', user_id: null },
      { content: 'my reply', user_id: null },
      { content: 'his reply', user_id: bob.id },
    ])
    expect(await row(db`select comments_count from videos where id = ${video.id}`)).toEqual({
      comments_count: 1,
    })
    expect(await db`select reporter_id from reports where video_id = ${video.id}`).toEqual([
      { reporter_id: null },
    ])
    expect(
      await db`select reporter_id, user_id, snapshot from reports where target_id = ${alice.id}`,
    ).toEqual([{ reporter_id: bob.id, user_id: null, snapshot: 'Deleted user' }])
    expect(await db`select actor_id, actor_name from audit_log where target_id = ${video.id}`).toEqual([
      { actor_id: null, actor_name: alice.username },
    ])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('takes along everything else, and every counter follows', async () => {
    const { db } = site
    const shared = await saveFilm(site, alice, `shared${people}`, { video: { tags: ['film'] } })
    const his = await saveFilm(site, bob, `shared${people}`, { video: { tags: ['film'] } })
    const own = await saveFilm(site, alice, `own${people}`)
    for (const id of [alice.id, bob.id])
      await db`insert into likes (user_id, video_id) values (${id}, ${shared.video.id})`
    await db`
      insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id}), (${bob.id}, ${alice.id})`
    await db`
      with told as (
        insert into notifications (user_id, kind) values (${bob.id}, 'follow'), (${alice.id}, 'follow')
        returning id, user_id)
      insert into notification_actors (notification_id, actor_id, bookmark_id)
      select id, case user_id when ${alice.id} then ${bob.id}::bigint else ${alice.id} end, ${own.id} from told`
    await db`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      values (${alice.id}, sha256(${alice.username}::bytea), 'rmk_abcd', 'script', '{read}')`
    await db`insert into exports (user_id, expires_at) values (${alice.id}, now())`
    await db`insert into imports (user_id) values (${alice.id})`
    expect((await explore()).map(({ id }) => id)).toContain(shared.id)

    await leave()
    expect(await counterMismatches(site)).toEqual([])
    expect(
      await row(db`
        select lead_bookmark_id, saves_count, likes_count from videos where id = ${shared.video.id}`),
    ).toEqual({ lead_bookmark_id: his.id, saves_count: 1, likes_count: 1 })
    const listed = (await explore()).map(({ id }) => id)
    expect(listed).toContain(his.id)
    for (const id of [shared.id, own.id]) expect(listed).not.toContain(id)
    expect(await profile(bob)).toMatchObject({ followers_count: 0, following_count: 0 })
    // Whatever has a user: nothing of hers is anywhere.
    const columns = await db<{ name: string; column: string }[]>`
      select conrelid::regclass::text as name, attname as column
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'users'::regclass`
    expect(columns.length).toBeGreaterThan(15)
    expect(await db`select from bookmarks where user_id = ${alice.id}`).toHaveLength(0)
    for (const { name, column } of columns)
      expect([name, (await db`select from ${db(name)} where ${db(column)} = ${alice.id}`).count]).toEqual([
        name,
        0,
      ])
  })

  test('has their picture deleted, unless somebody else has the same', async () => {
    const { db } = site
    const { media } = site.app.deps
    const [mine, both] = [Buffer.from(`mine${people}`), Buffer.from(`both${people}`)]
    for (const bytes of [mine, both]) await media.put(mediaKey(bytes), bytes)
    const carol = await signUp(site, `Carol${people}`)
    await db`update users set avatar_key = ${mediaKey(mine)} where id = ${alice.id}`
    await db`update users set avatar_key = ${mediaKey(both)} where id in (${bob.id}, ${carol.id})`
    await leave()
    expect(await media.get(mediaKey(mine))).toBeNull()
    await leave(carol)
    const kept = await media.get(mediaKey(both))
    expect(kept).not.toBeNull()
    kept?.stream.destroy()
    await leave(bob)
    expect(await media.get(mediaKey(both))).toBeNull()
  })

  test('cannot be banned or promoted any more: there is nobody of that name', async () => {
    await leave()
    for (const command of ['ban', 'promote', 'demote']) {
      const complaints: string[] = []
      const code = await runAdmin(
        [command, alice.username],
        { DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir },
        { print: () => {}, printError: (text) => complaints.push(text) },
      )
      expect([code, complaints]).toEqual([1, [`There is nobody called ${alice.username}.`]])
    }
  })

  test('while somebody else does: both go, though they follow each other', async () => {
    await site.db`
      insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id}), (${bob.id}, ${alice.id})`
    await saveMany(alice, 300, `pair${people}/`)
    await saveMany(bob, 300, `pair${people}/`)
    await Promise.all([leave(alice), leave(bob)])
    expect(await site.db`select from users where id in (${alice.id}, ${bob.id})`).toHaveLength(0)
    expect(await counterMismatches(site)).toEqual([])
  })
})

test('what a crash left is taken away by the clock, a minute later', async () => {
  await saveMany(alice, 450, `crash${people}/`)
  await site.db`
    update users set closed_at = now(), banned_at = now(), username = 'deleted-x', email = 'x@deleted.invalid'
     where id = ${alice.id}`
  for (const { find, remove: take } of removalSteps) {
    const ids = (await find(site.db, alice.id)).slice(0, 200)
    await site.db.begin((tx) => take(tx, alice.id, ids))
  }
  const queue = unfinishedRemovalsQueue(site.app.deps)
  const left = async () => (await site.db`select from bookmarks where user_id = ${alice.id}`).count
  await queue.work({})
  expect(await left()).toBe(250)
  await site.db`update users set closed_at = now() - interval '1 minute' where id = ${alice.id}`
  // Two processes may see it at once.
  await Promise.all([queue.work({}), queue.work({})])
  expect(await left()).toBe(0)
  expect(await site.db`select from users where id = ${alice.id}`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
})

test('while others like, follow, comment and save the same, nobody waits in a circle and every count is right', async () => {
  const { db } = site
  const size = 600
  await saveMany(alice, size, `busy${people}/`)
  const videos = await db<{ id: number }[]>`
    select id from videos where canonical_url like ${`busy${people}/%`} order by id`
  const ids = videos.map(({ id }) => id)
  const others = await Promise.all([1, 2, 3, 4].map((n) => signUp(site, `Crowd${people}x${n}`)))
  await db`insert into likes (user_id, video_id) select ${alice.id}, unnest(${ids}::bigint[])`
  for (const { id } of others)
    await db`insert into follows (follower_id, followee_id) values (${id}, ${alice.id}), (${alice.id}, ${id})`

  let state = 20_261_121
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const video = () => ids[chance(ids.length)] as number
  const failures: unknown[] = []
  let isOver = false
  let deeds = 0
  const crowd = others.map(async (person) => {
    const { id: me } = person
    const [destination] = await db<{ id: number }[]>`select id from collections where user_id = ${me}`
    const acts = [
      () => db`insert into likes (user_id, video_id) values (${me}, ${video()}) on conflict do nothing`,
      () => db`delete from likes where user_id = ${me} and video_id = ${video()}`,
      // As people do it: it keeps to the order of locks.
      () => site.call(followUser, { params: { id: alice.id } }, person).catch(removed),
      () => site.call(unfollowUser, { params: { id: alice.id } }, person).catch(removed),
      () => db`insert into comments (video_id, user_id, content) values (${video()}, ${me}, 'hello')`,
      () => db`
        insert into bookmarks (user_id, video_id, collection_id, title, tags)
        values (${me}, ${video()}, ${destination?.id as number}, 'Film', ${[`t${chance(7)}`]}) on conflict do nothing`,
      () => db`update videos set status = ${chance(2) ? 'visible' : 'hidden'} where id = ${video()}`,
      () => saveFilm(site, person, `busy${people}-${chance(50)}`).catch(conflict),
    ]
    while (!isOver) {
      await acts[chance(acts.length)]?.().then(
        () => {
          deeds += 1
        },
        (error: { code?: string }) => {
          // Whom they follow is gone by now.
          if (error.code !== '23503') failures.push(error)
        },
      )
    }
  })
  await sleep(100)
  await leave()
  // However slow the machine is: enough was done for two to have met.
  while (deeds <= 100 && failures.length === 0) await sleep(20)
  isOver = true
  await Promise.all(crowd)
  expect(failures).toEqual([])
  expect(await db`select from users where id = ${alice.id}`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
  const [deadlocks] = await db`select deadlocks::int from pg_stat_database where datname = current_database()`
  expect(deadlocks).toEqual({ deadlocks: 0 })
})

/** Whom they follow has left by now. */
function removed(error: { status?: number }): void {
  if (error.status !== 404) throw error
}

/** Saved there already. */
function conflict(error: { status?: number }): void {
  if (error.status !== 409) throw error
}
