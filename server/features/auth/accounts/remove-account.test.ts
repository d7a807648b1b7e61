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
import { createMediaKey } from '../../../core/media/store.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createChance } from '../../../testing/create-chance.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { unfinishedRemovalsQueue } from './remove-account.ts'
import { removalSteps } from './remove-account-queries.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
  bob = await signUp(site, `Bob${userCount}`)
})

const removeMyAccount = (user = alice, password = user.password) =>
  site.call(deleteAccount, { body: { password } }, user)
const readProfile = (user: TestUser, viewer: TestUser | null = null) =>
  site.call(getProfile, { params: { username: user.username } }, viewer)
const listExplore = async () => (await site.call(listVideos, { query: { page_size: 100 } })).results
const firstRow = async (query: Promise<readonly Record<string, unknown>[]>) => (await query)[0]

/** Creates bookmarks with SQL, which is faster than saving them through the API. */
async function saveMany(user: TestUser, count: number, prefix: string): Promise<void> {
  await site.db`
    insert into videos (canonical_url, source_url, host)
    select ${prefix} || n, 'https://example.org/', 'example.org'
      from generate_series(1, ${count}::int) n on conflict do nothing`
  for (let from = 0; from < count; from += 250) {
    await site.db`
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${user.id}, v.id, c.id, 'Film ' || v.id, array['t' || v.id % 7]
        from (select * from videos where canonical_url like ${`${prefix}%`} order by id limit 250 offset ${from}) v,
             (select id from collections where user_id = ${user.id} limit 1) c`
  }
}

describe('deleting an account', () => {
  test('takes effect before the response: login fails, profile and bookmarks are not found', async () => {
    const { id } = await saveFilm(site, alice, `deleted${userCount}`)
    const { access, refresh } = await site.call(logIn, {
      body: { username: alice.username, password: alice.password },
    })
    expect(await removeMyAccount()).toBeNull()

    const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
    expect(await failedReply(readProfile(alice))).toEqual(missing)
    expect(await failedReply(site.call(getBookmark, { params: { id } }, bob))).toEqual(missing)
    expect((await failedReply(readProfile(alice, { ...alice, access }))).status).toBe(401)
    expect((await failedReply(site.call(refreshTokens, { body: { refresh } }))).status).toBe(401)
    for (const username of [alice.username, alice.email]) {
      const loginAttempt = site.call(logIn, { body: { username, password: alice.password } })
      expect((await failedReply(loginAttempt)).status).toBe(401)
    }
    expect(await site.db`select from users where id = ${alice.id}`).toHaveLength(0)
    expect((await listExplore()).filter((item) => item.id === id)).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('sends a last mail and frees username and e-mail address immediately', async () => {
    await removeMyAccount()
    const { username, email, password } = alice
    const newAccount = await site.call(register, { body: { username, email, password, password2: password } })
    expect(newAccount.id).not.toBe(alice.id)
    // The new account gets a mail, too.
    const mails = await waitForMailsTo(site, email, 2)
    const last = mails.filter(({ headers }) => headers.subject === 'Your Reelmark account was deleted')
    expect(last).toHaveLength(1)
    expect(last[0]?.text).not.toContain(username)
  })

  test('requires the password, with an error for its field', async () => {
    const passwordOfBob = 'a password of another user'
    await site.db`update users set password_hash = ${await hashPassword(passwordOfBob)} where id = ${bob.id}`
    expect(await failedReply(removeMyAccount(alice, passwordOfBob))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Incorrect password. Try again.'] },
    })
    await site.db`update users set password_hash = null where id = ${alice.id}`
    expect(await failedReply(removeMyAccount())).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Your account has no password. Set one from Settings → Account.'] },
    })
    expect((await failedReply(site.call(deleteAccount, { body: { password: 'x' } }, null))).status).toBe(401)
    expect((await readProfile(alice)).user_id).toBe(alice.id)
  })

  test('succeeds once if it is requested several times concurrently', async () => {
    const outcomes = await Promise.allSettled([removeMyAccount(), removeMyAccount(), removeMyAccount()])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect([400, 401]).toContain(outcome.reason.status)
    await waitForMailsTo(site, alice.email, 1)
  })

  test('keeps comments without an author, reports and the audit log', async () => {
    const { video } = await saveFilm(site, bob, `commented${userCount}`)
    const { db } = site
    const comment = await firstRow(db`
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
    await removeMyAccount()
    expect(await db`select content, user_id from comments where video_id = ${video.id} order by id`).toEqual([
      { content: 'mine', user_id: null },
      { content: 'my reply', user_id: null },
      { content: 'his reply', user_id: bob.id },
    ])
    expect(await firstRow(db`select comments_count from videos where id = ${video.id}`)).toEqual({
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

  test('removes everything else, and counters and lead bookmarks are updated', async () => {
    const { db } = site
    const shared = await saveFilm(site, alice, `shared${userCount}`, { video: { tags: ['film'] } })
    const byBob = await saveFilm(site, bob, `shared${userCount}`, { video: { tags: ['film'] } })
    const own = await saveFilm(site, alice, `own${userCount}`)
    for (const id of [alice.id, bob.id])
      await db`insert into likes (user_id, video_id) values (${id}, ${shared.video.id})`
    await db`
      insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id}), (${bob.id}, ${alice.id})`
    await db`
      with notification as (
        insert into notifications (user_id, kind) values (${bob.id}, 'follow'), (${alice.id}, 'follow')
        returning id, user_id)
      insert into notification_actors (notification_id, actor_id, bookmark_id)
      select id, case user_id when ${alice.id} then ${bob.id}::bigint else ${alice.id} end, ${own.id} from notification`
    await db`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      values (${alice.id}, sha256(${alice.username}::bytea), 'rmk_abcd', 'script', '{read}')`
    await db`insert into exports (user_id, expires_at) values (${alice.id}, now())`
    await db`insert into imports (user_id) values (${alice.id})`
    expect((await listExplore()).map(({ id }) => id)).toContain(shared.id)

    await removeMyAccount()
    expect(await counterMismatches(site)).toEqual([])
    expect(
      await firstRow(db`
        select lead_bookmark_id, saves_count, likes_count from videos where id = ${shared.video.id}`),
    ).toEqual({ lead_bookmark_id: byBob.id, saves_count: 1, likes_count: 1 })
    const listed = (await listExplore()).map(({ id }) => id)
    expect(listed).toContain(byBob.id)
    for (const id of [shared.id, own.id]) expect(listed).not.toContain(id)
    expect(await readProfile(bob)).toMatchObject({ followers_count: 0, following_count: 0 })
    // No row of any table with a foreign key to users refers to the account.
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

  test('deletes the avatar file unless another user has the same', async () => {
    const { db } = site
    const { media } = site.app.deps
    const [ownAvatar, shared] = [createMediaKey(), createMediaKey()]
    for (const key of [ownAvatar, shared]) await media.put(key, Buffer.from('RIFF'))
    const carol = await signUp(site, `Carol${userCount}`)
    await db`update users set avatar_key = ${ownAvatar} where id = ${alice.id}`
    await db`update users set avatar_key = ${shared} where id in (${bob.id}, ${carol.id})`
    await removeMyAccount()
    expect(await media.get(ownAvatar)).toBeNull()
    await removeMyAccount(carol)
    const sharedAvatar = await media.get(shared)
    expect(sharedAvatar).not.toBeNull()
    sharedAvatar?.stream.destroy()
    await removeMyAccount(bob)
    expect(await media.get(shared)).toBeNull()
  })

  test('is refused for the last owner, also if two owners leave at the same moment', async () => {
    await site.db`update users set is_moderator = true, is_owner = true where id in (${alice.id}, ${bob.id})`
    const leave = ({ access, password }: TestUser) =>
      site.call(deleteAccount, { body: { password } }, { access })
    const outcomes = await Promise.allSettled([leave(alice), leave(bob)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, body: { code: 'last-owner' } },
    })
    expect(await site.db`select from users where is_owner`).toHaveLength(1)
    const [stays] = await site.db<{ id: number }[]>`select id from users where is_owner`
    await expect(site.db`delete from users where id = ${stays?.id ?? 0}`).rejects.toThrow('last owner')
    // Undone for the following tests, with the trigger off.
    await site.db`alter table users disable trigger user`
    await site.db`update users set is_owner = false`
    await site.db`alter table users enable trigger user`
  })

  test('makes operator commands for the username fail', async () => {
    await removeMyAccount()
    for (const command of ['ban', 'promote', 'demote']) {
      const errors: string[] = []
      const code = await runAdmin(
        [command, alice.username],
        { DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir },
        { print: () => {}, printError: (text) => errors.push(text), readPassword: async () => '' },
      )
      expect([code, errors]).toEqual([1, [`There is no user called ${alice.username}.`]])
    }
  })

  test('works for two users at the same time who follow each other', async () => {
    await site.db`
      insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id}), (${bob.id}, ${alice.id})`
    await saveMany(alice, 300, `pair${userCount}/`)
    await saveMany(bob, 300, `pair${userCount}/`)
    await Promise.all([removeMyAccount(alice), removeMyAccount(bob)])
    expect(await site.db`select from users where id in (${alice.id}, ${bob.id})`).toHaveLength(0)
    expect(await counterMismatches(site)).toEqual([])
  })
})

test('a job finishes the removal of an account after a crash, a minute later', async () => {
  await saveMany(alice, 450, `crash${userCount}/`)
  await site.db`
    update users set closed_at = now(), banned_at = now(), username = 'deleted-x', email = 'x@deleted.invalid'
     where id = ${alice.id}`
  for (const { find, remove: take } of removalSteps) {
    const ids = (await find(site.db, alice.id)).slice(0, 200)
    await site.db.begin((tx) => take(tx, alice.id, ids))
  }
  const queue = unfinishedRemovalsQueue(site.app.deps)
  const countBookmarksLeft = async () =>
    (await site.db`select from bookmarks where user_id = ${alice.id}`).count
  await queue.work({})
  expect(await countBookmarksLeft()).toBe(250)
  await site.db`update users set closed_at = now() - interval '1 minute' where id = ${alice.id}`
  // Two processes may start the job at the same time.
  await Promise.all([queue.work({}), queue.work({})])
  expect(await countBookmarksLeft()).toBe(0)
  expect(await site.db`select from users where id = ${alice.id}`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
})

test('concurrent likes, follows, comments and saves by others cause no deadlock and no wrong counter', {
  tags: 'heavy',
}, async () => {
  const { db } = site
  const size = 600
  await saveMany(alice, size, `busy${userCount}/`)
  const videos = await db<{ id: number }[]>`
    select id from videos where canonical_url like ${`busy${userCount}/%`} order by id`
  const ids = videos.map(({ id }) => id)
  const passwordOfBob = await Promise.all([1, 2, 3, 4].map((n) => signUp(site, `Crowd${userCount}x${n}`)))
  await db`insert into likes (user_id, video_id) select ${alice.id}, unnest(${ids}::bigint[])`
  for (const { id } of passwordOfBob)
    await db`insert into follows (follower_id, followee_id) values (${id}, ${alice.id}), (${alice.id}, ${id})`

  const randomBelow = createChance(20_261_121)
  const video = () => ids[randomBelow(ids.length)] as number
  const failures: unknown[] = []
  let isOver = false
  let actionsDone = 0
  const otherUsers = passwordOfBob.map(async (user) => {
    const { id: userId } = user
    const [destination] = await db<{ id: number }[]>`select id from collections where user_id = ${userId}`
    const actions = [
      () => db`insert into likes (user_id, video_id) values (${userId}, ${video()}) on conflict do nothing`,
      () => db`delete from likes where user_id = ${userId} and video_id = ${video()}`,
      // Through the API, which locks in the right order.
      () => site.call(followUser, { params: { id: alice.id } }, user).catch(ignoreNotFound),
      () => site.call(unfollowUser, { params: { id: alice.id } }, user).catch(ignoreNotFound),
      () => db`insert into comments (video_id, user_id, content) values (${video()}, ${userId}, 'hello')`,
      () => db`
        insert into bookmarks (user_id, video_id, collection_id, title, tags)
        values (${userId}, ${video()}, ${destination?.id as number}, 'Film', ${[`t${randomBelow(7)}`]}) on conflict do nothing`,
      () => db`update videos set status = ${randomBelow(2) ? 'visible' : 'hidden'} where id = ${video()}`,
      () => saveFilm(site, user, `busy${userCount}-${randomBelow(50)}`).catch(ignoreConflict),
    ]
    while (!isOver) {
      await actions[randomBelow(actions.length)]?.().then(
        () => {
          actionsDone += 1
        },
        (error: { code?: string }) => {
          // 23503: the account they act on has been deleted.
          if (error.code !== '23503') failures.push(error)
        },
      )
    }
  })
  await sleep(100)
  await removeMyAccount()
  // Waits until enough actions ran to have met the removal, however slow the machine is.
  while (actionsDone <= 100 && failures.length === 0) await sleep(20)
  isOver = true
  await Promise.all(otherUsers)
  expect(failures).toEqual([])
  expect(await db`select from users where id = ${alice.id}`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
  const [deadlocks] = await db`select deadlocks::int from pg_stat_database where datname = current_database()`
  expect(deadlocks).toEqual({ deadlocks: 0 })
})

/** Ignores 404: the followed account has been deleted. */
function ignoreNotFound(error: { status?: number }): void {
  if (error.status !== 404) throw error
}

/** Ignores 409: the video has already been saved. */
function ignoreConflict(error: { status?: number }): void {
  if (error.status !== 409) throw error
}

test('deleting an account has the browser empty its cache, which contains pictures of private bookmarks', async () => {
  const user = await signUp(site, 'cache-owner')
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/auth/account-delete/',
    headers: { authorization: `Bearer ${user.access}` },
    payload: { password: user.password },
  })
  expect([reply.statusCode, reply.headers['clear-site-data']]).toEqual([204, '"cache"'])
})
