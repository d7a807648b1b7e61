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
let people = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
  bob = await signUp(site, `bob${people}`)
})

/** So many plain bookmarks, past the server. */
async function fill(person: TestUser, count: number): Promise<void> {
  const { collection_id, channel_id } = await vaultDestination(site, person)
  await site.db`
    with made as (
      insert into videos (canonical_url, source_url, host)
      select link, link, 'many.example.org'
        from (select 'https://many.example.org/' || ${person.id}::bigint || '/' || n as link
                from generate_series(1, ${count}::int) n) links
      returning id)
    insert into bookmarks (user_id, video_id, collection_id, channel_id, title)
    select ${person.id}, id, ${collection_id}, ${channel_id}, 'Film' from made`
}

const queue = (name: string, deps = site.app.deps) => {
  const found = transferQueues(deps).find((one) => one.name === name)
  if (found === undefined) throw new Error(`no queue ${name}`)
  return found
}

test('everything of somebody is in the file, as they know it', async () => {
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
    },
  })
  expect(file.collections).toEqual([
    {
      name: 'My Vault',
      description: '',
      access: 'public',
      created_at: expect.any(String),
      is_watch_later: false,
      channels: [{ name: 'General', description: '' }],
    },
    expect.objectContaining({ name: 'Another', access: 'private' }),
    {
      name: 'Another',
      description: 'Things',
      access: 'public',
      created_at: '2021-01-01T00:00:00.123456Z',
      is_watch_later: false,
      channels: [
        { name: 'First', description: 'of all' },
        { name: 'A channel', description: '' },
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
    tags: ['three'],
    access: 'public',
    created_at: '2020-02-29T12:00:00.654321Z',
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
  expect(file.blocked).toEqual([{ username: `${alice.username}s-nuisance`, blocked_at: expect.any(String) }])
  expect(file.muted_people).toEqual([{ username: bob.username, muted_at: expect.any(String) }])
  expect(file.muted_tags).toEqual([{ tag: 'loud things', muted_at: expect.any(String) }])
  expect(JSON.stringify(file)).not.toContain('Words of bob')
})

test('nothing is in it that is private to others', async () => {
  const theirs = await saveFilm(site, bob, 'shared', {
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
  const file = await exportAccount(site, alice)
  expect(file.bookmarks[0]?.video).toMatchObject({ title: 'What I call it', thumbnail_url: null })
  expect(file.likes).toEqual([])
  expect(file.watched).toEqual([])
  expect(file.comments).toMatchObject([{ content: 'Oh', source_url: '' }])
  expect(JSON.stringify(file)).not.toMatch(/Bob calls|bob\.example|his%20own/)
  expect(theirs.video.title).toBe('What Bob calls it')
})

test('it is sent as a file, to its owner alone, until it expires', async () => {
  const begun = await site.call(startExport, {}, alice)
  expect(begun).toMatchObject({ state: 'waiting', done: 0, size: null, finished_at: null })
  const { id } = begun
  const done = await waitUntilFinished(() => site.call(getExport, { params: { id } }, alice))
  const get = (person: TestUser | null) =>
    site.app.inject({
      url: `/api/transfer/exports/${id}/file/`,
      headers: person === null ? {} : { authorization: `Bearer ${person.access}` },
    })
  const answer = await get(alice)
  const date = new Date().toISOString().slice(0, 10)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="reelmark-${alice.username}-${date}.json"`,
    'cache-control': 'no-store',
  })
  expect(answer.rawPayload.length).toBe(done.size)
  expect((await get(bob)).statusCode).toBe(404)
  expect((await get(null)).statusCode).toBe(401)
  expect(await failedReply(site.call(getExport, { params: { id } }, bob))).toMatchObject({ status: 404 })
  expect(await site.call(listExports, { query: {} }, bob)).toMatchObject({ count: 0, results: [] })

  await site.db`update exports set expires_at = now() - interval '1 second' where id = ${id}`
  expect((await get(alice)).statusCode).toBe(404)
  await queue('remove-old-transfers').work({})
  expect(await site.db`select from export_chunks where export_id = ${id}`).toHaveLength(0)
})

test('one is under way at a time; the list is paged, and the newest three are kept', async () => {
  const idle = await bootApp()
  const carol = await signUp(idle, 'carol')
  await idle.call(startExport, {}, carol)
  expect(await failedReply(idle.call(startExport, {}, carol))).toEqual({
    status: 409,
    body: { detail: 'One is already in progress.', code: 'already-running' },
  })
  await idle.close()

  for (let count = 0; count < 4; count++) await exportAccount(site, alice)
  const all = await site.call(listExports, { query: {} }, alice)
  expect(all.results.map(({ id }) => id)).toEqual(all.results.map(({ id }) => id).sort((a, b) => b - a))
  expect(all.count).toBe(3)
  const page = await site.call(listExports, { query: { page: 2, page_size: 2 } }, alice)
  expect(page).toMatchObject({ count: 3, next: null, results: [{ id: all.results[2]?.id }] })
})

test('it is seen to move as it is written', async () => {
  await fill(alice, 3000)
  const [row] = await site.db`
    insert into exports (user_id, expires_at) values (${alice.id}, now() + interval '1 day') returning id`
  const id = row?.id
  const seen = new Set<number>()
  let working = true
  const work = queue('write-export')
    .work({ export_id: id })
    .finally(() => {
      working = false
    })
  while (working) {
    const { state, done } = await site.call(getExport, { params: { id } }, alice)
    if (state !== 'running') continue
    seen.add(done)
  }
  await work
  expect(seen.size).toBeGreaterThan(1)
  const done = await site.call(getExport, { params: { id } }, alice)
  expect(done).toMatchObject({ state: 'done', done: 3001, total: 3001 })
  expect((await site.call(downloadExport, { params: { id } }, alice)).bookmarks).toHaveLength(3000)
})

test('killed half way it is written afresh by whoever looks next, and only once', async () => {
  await fill(alice, 3000)
  const [row] = await site.db`
    insert into exports (user_id, expires_at) values (${alice.id}, now() + interval '1 day') returning id`
  const id = row?.id
  await queue('write-export', { ...site.app.deps, db: failingDatabase(site.db, { statements: 5 }) }).work({
    export_id: id,
  })
  expect((await site.call(getExport, { params: { id } }, alice)).done).toBeGreaterThan(100)
  expect(await site.call(getExport, { params: { id } }, alice)).toMatchObject({
    state: 'running',
    size: null,
  })
  expect(await failedReply(site.call(downloadExport, { params: { id } }, alice))).toMatchObject({
    status: 404,
  })

  // Nobody takes it from somebody who was heard of just now.
  await queue('write-export').work({ export_id: id })
  expect(await site.call(getExport, { params: { id } }, alice)).toMatchObject({ state: 'running' })
  await site.db`update exports set heartbeat_at = now() - interval '2 minutes' where id = ${id}`
  await Promise.all([1, 2].map(() => queue('resume-transfers').work({})))
  await waitUntilFinished(() => site.call(getExport, { params: { id } }, alice))
  const file = await site.call(downloadExport, { params: { id } }, alice)
  expect(new Set(file.bookmarks.map(({ video }) => video.source_url)).size).toBe(3000)
  expect(await site.db`select attempts from exports where id = ${id}`).toEqual([{ attempts: 2 }])
})

test('what fails as often as that is called failed; what is a user’s goes with the user', async () => {
  const [row] = await site.db`
    insert into exports (user_id, state, attempts, heartbeat_at, expires_at)
    values (${alice.id}, 'running', 6, now() - interval '2 minutes', now() + interval '1 day') returning id`
  await queue('resume-transfers').work({})
  const failed = await site.call(getExport, { params: { id: row?.id } }, alice)
  expect(failed).toMatchObject({ state: 'failed', finished_at: expect.any(String) })
  await exportAccount(site, alice)
  await site.db`delete from users where id = ${alice.id}`
  expect(await site.db`select from exports where user_id = ${alice.id}`).toHaveLength(0)
})
