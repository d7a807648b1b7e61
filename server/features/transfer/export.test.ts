import { downloadExport, getExport, listExports, startExport } from '@reelmark/contract/transfer.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { exportAccount, failingDatabase, fillAccount, waitUntilFinished } from './full-account.fixture.ts'
import { transferQueues } from './jobs.ts'

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
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

/** Inserts bookmarks of new videos directly into the database. */
async function insertBookmarks(user: TestUser, count: number): Promise<void> {
  const { collection_id, channel_id } = await vaultDestination(site, user)
  await site.db`
    with created as (
      insert into videos (canonical_url, source_url, host)
      select link, link, 'many.example.org'
        from (select 'https://many.example.org/' || ${user.id}::bigint || '/' || n as link
                from generate_series(1, ${count}::int) n) links
      returning id)
    insert into bookmarks (user_id, video_id, collection_id, channel_id, title)
    select ${user.id}, id, ${collection_id}, ${channel_id}, 'Film' from created`
}

const findQueue = (name: string, deps = site.app.deps) => {
  const found = transferQueues(deps).find((findQueue) => findQueue.name === name)
  if (found === undefined) throw new Error(`no queue ${name}`)
  return found
}

test('the file contains everything of a user, as the user sees it', async () => {
  await fillAccount(site, alice, bob)
  const file = await exportAccount(site, alice)
  expect(file).toMatchObject({
    format: 'reelmark',
    version: 1,
    username: alice.username,
    profile: {
      bio: 'About me',
      default_bookmark_orientation: 'bi',
      default_bookmark_collection: 1,
      notify_on_follow: false,
      notify_on_own_video_liked: true,
      notify_by_email: 'weekly',
      default_bookmark_access: 'private',
      likes_visibility: 'members',
      followers_visibility: 'only_me',
      counts_adult: true,
    },
  })
  expect(file.collections).toEqual([
    {
      name: 'My Vault',
      description: '',
      access: 'public',
      created_at: expect.any(String),
      is_watch_later: false,
      list_order: 'newest',
      channels: [{ name: 'General', description: '', list_order: 'manual' }],
    },
    expect.objectContaining({ name: 'Another', access: 'private' }),
    {
      name: 'Another',
      description: 'Things',
      access: 'public',
      created_at: '2021-01-01T00:00:00.123456Z',
      is_watch_later: false,
      list_order: 'title',
      channels: [
        { name: 'First', description: 'of all', list_order: 'newest' },
        { name: 'A channel', description: '', list_order: 'newest' },
      ],
    },
    expect.objectContaining({ name: 'Tonight', access: 'private', is_watch_later: true, channels: [] }),
  ])
  const titles = [
    ...['My plain "film" \\ ünicode 🎬', 'Film secret', 'Film in private', 'Film in no channel'],
    ...['Twice', 'Sintel', 'Film under review'],
  ]
  expect(file.bookmarks.map(({ title }) => title)).toEqual(titles)
  expect(file.bookmarks.map(({ video }) => video.title)).toEqual(titles)
  expect(file.bookmarks[0]).toEqual({
    collection: 0,
    channel: 0,
    title: 'My plain "film" \\ ünicode 🎬',
    description: 'Mine',
    private_note: 'Only mine',
    tags: ['three'],
    access: 'public',
    created_at: '2020-02-29T12:00:00.654321Z',
    start_seconds: 75,
    collection_order_key: expect.any(String),
    channel_order_key: expect.any(String),
    video: {
      source_url: 'https://films.example.org/watch/plain',
      title: 'My plain "film" \\ ünicode 🎬',
      description: 'Mine',
      tags: ['three'],
      embed_url: 'https://player.example.org/plain',
      thumbnail_url: 'https://films.example.org/plain.jpg',
      orientation: 'gay',
      shape: 'portrait',
      duration: 90,
      uploader_name: 'An "uploader" 🎬',
      uploader_url: 'https://films.example.org/@uploader',
      width: 1080,
      height: 1920,
    },
  })
  expect(file.bookmarks[3]).toMatchObject({ collection: 2, channel: null })
  expect(file.likes.map(({ source_url }) => source_url)).toEqual([
    'https://films.example.org/watch/plain',
    'https://films.example.org/watch/of%20bob',
  ])
  expect(file.following).toEqual([{ username: bob.username, followed_at: expect.any(String) }])
  expect(file.comments).toMatchObject([
    { content: 'Good', is_reply: false, source_url: 'https://films.example.org/watch/of%20bob' },
    { content: 'Very good', is_reply: true },
  ])
  expect(file.watched).toEqual([
    { source_url: 'https://films.example.org/watch/of%20bob', watched_at: '2023-01-01T00:00:00.250000Z' },
  ])
  expect(file.playback_positions).toEqual([
    {
      source_url: 'https://films.example.org/watch/of%20bob',
      seconds: 754,
      updated_at: expect.any(String),
    },
  ])
  expect(file.blocked).toEqual([{ username: `${alice.username}s-nuisance`, blocked_at: expect.any(String) }])
  expect(file.muted_users).toEqual([{ username: bob.username, muted_at: expect.any(String) }])
  expect(file.muted_tags).toEqual([{ tag: 'loud things', muted_at: expect.any(String) }])
  expect(JSON.stringify(file)).not.toContain('Comment by bob')
})

test('the file contains nothing that is private to other users', async () => {
  const bobs = await saveFilm(site, bob, 'shared', {
    video: { title: 'What Bob calls it', thumbnail_url: 'https://bob.example.org/private.jpg' },
    bookmark: { access: 'private' },
  })
  await saveFilm(site, alice, 'shared', {
    video: { title: 'What I call it' },
    bookmark: { access: 'private' },
  })
  const secret = await saveFilm(site, bob, 'his own', { bookmark: { access: 'private' } })
  await site.db`insert into likes (user_id, video_id) values (${alice.id}, ${secret.video.id})`
  await site.db`insert into comments (user_id, video_id, content) values (${alice.id}, ${secret.video.id}, 'Oh')`
  await site.db`insert into watched_videos (user_id, video_id) values (${alice.id}, ${secret.video.id})`
  await site.db`insert into playback_positions (user_id, video_id, seconds) values (${alice.id}, ${secret.video.id}, 9)`
  const file = await exportAccount(site, alice)
  expect(file.bookmarks[0]?.video).toMatchObject({ title: 'What I call it', thumbnail_url: null })
  expect(file.likes).toEqual([])
  expect(file.watched).toEqual([])
  expect(file.playback_positions).toEqual([])
  expect(file.comments).toMatchObject([{ content: 'Oh', source_url: '' }])
  expect(JSON.stringify(file)).not.toMatch(/Bob calls|bob\.example|his%20own/)
  expect(bobs.video.title).toBe('What Bob calls it')
})

test('the file can be downloaded by its owner only, until it expires', async () => {
  const started = await site.call(startExport, { query: {} }, alice)
  expect(started).toMatchObject({ state: 'waiting', done: 0, size: null, finished_at: null })
  const { id } = started
  const finished = await waitUntilFinished(() => site.call(getExport, { params: { id } }, alice))
  const get = (user: TestUser | null) =>
    site.app.inject({
      url: `/api/transfer/exports/${id}/file/`,
      headers: user === null ? {} : { authorization: `Bearer ${user.access}` },
    })
  const response = await get(alice)
  const date = new Date().toISOString().slice(0, 10)
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="reelmark-${alice.username}-${date}.json"`,
    'cache-control': 'no-store',
  })
  expect(response.rawPayload.length).toBe(finished.size)
  expect((await get(bob)).statusCode).toBe(404)
  expect((await get(null)).statusCode).toBe(401)
  expect(await failedReply(site.call(getExport, { params: { id } }, bob))).toMatchObject({ status: 404 })
  expect(await site.call(listExports, { query: {} }, bob)).toMatchObject({ count: 0, results: [] })

  await site.db`update exports set expires_at = now() - interval '1 second' where id = ${id}`
  expect((await get(alice)).statusCode).toBe(404)
  await findQueue('remove-old-transfers').work({})
  expect(await site.db`select from export_chunks where export_id = ${id}`).toHaveLength(0)
})

test('a second export is refused while one is running; the list is paged, and the newest three are stored', async () => {
  const idleSite = await bootApp()
  const carol = await signUp(idleSite, 'carol')
  await idleSite.call(startExport, { query: {} }, carol)
  expect(await failedReply(idleSite.call(startExport, { query: {} }, carol))).toEqual({
    status: 409,
    body: { detail: 'One is already in progress.', code: 'already-running' },
  })
  await idleSite.close()

  for (let count = 0; count < 4; count++) await exportAccount(site, alice)
  const all = await site.call(listExports, { query: {} }, alice)
  expect(all.results.map(({ id }) => id)).toEqual(all.results.map(({ id }) => id).sort((a, b) => b - a))
  expect(all.count).toBe(3)
  const page = await site.call(listExports, { query: { page: 2, page_size: 2 } }, alice)
  expect(page).toMatchObject({ count: 3, next: null, results: [{ id: all.results[2]?.id }] })
})

test('the progress of an export is visible while it is written', async () => {
  await insertBookmarks(alice, 3000)
  const [row] = await site.db`
    insert into exports (user_id, expires_at) values (${alice.id}, now() + interval '1 day') returning id`
  const id = row?.id
  const progress = new Set<number>()
  let isWorking = true
  const work = findQueue('write-export')
    .work({ export_id: id })
    .finally(() => {
      isWorking = false
    })
  while (isWorking) {
    const { state, done } = await site.call(getExport, { params: { id } }, alice)
    if (state !== 'running') continue
    progress.add(done)
  }
  await work
  expect(progress.size).toBeGreaterThan(1)
  const finished = await site.call(getExport, { params: { id } }, alice)
  expect(finished).toMatchObject({ state: 'done', done: 3002, total: 3002 })
  expect((await site.call(downloadExport, { params: { id } }, alice)).bookmarks).toHaveLength(3000)
})

test('an export whose process dies is restarted once by the next job', async () => {
  await insertBookmarks(alice, 3000)
  const [row] = await site.db`
    insert into exports (user_id, expires_at) values (${alice.id}, now() + interval '1 day') returning id`
  const id = row?.id
  await findQueue('write-export', { ...site.app.deps, db: failingDatabase(site.db, { statements: 5 }) }).work(
    {
      export_id: id,
    },
  )
  expect((await site.call(getExport, { params: { id } }, alice)).done).toBeGreaterThan(100)
  expect(await site.call(getExport, { params: { id } }, alice)).toMatchObject({
    state: 'running',
    size: null,
  })
  expect(await failedReply(site.call(downloadExport, { params: { id } }, alice))).toMatchObject({
    status: 404,
  })

  // Another process does not take it over while the heartbeat is recent.
  await findQueue('write-export').work({ export_id: id })
  expect(await site.call(getExport, { params: { id } }, alice)).toMatchObject({ state: 'running' })
  await site.db`update exports set heartbeat_at = now() - interval '2 minutes' where id = ${id}`
  await Promise.all([1, 2].map(() => findQueue('resume-transfers').work({})))
  await waitUntilFinished(() => site.call(getExport, { params: { id } }, alice))
  const file = await site.call(downloadExport, { params: { id } }, alice)
  expect(new Set(file.bookmarks.map(({ video }) => video.source_url)).size).toBe(3000)
  expect(await site.db`select attempts from exports where id = ${id}`).toEqual([{ attempts: 2 }])
})

test('an export that was attempted too often fails, and deleting the user deletes their exports', async () => {
  const [row] = await site.db`
    insert into exports (user_id, state, attempts, heartbeat_at, expires_at)
    values (${alice.id}, 'running', 6, now() - interval '2 minutes', now() + interval '1 day') returning id`
  await findQueue('resume-transfers').work({})
  const failed = await site.call(getExport, { params: { id: row?.id } }, alice)
  expect(failed).toMatchObject({ state: 'failed', finished_at: expect.any(String) })
  await exportAccount(site, alice)
  await site.db`delete from users where id = ${alice.id}`
  expect(await site.db`select from exports where user_id = ${alice.id}`).toHaveLength(0)
})
