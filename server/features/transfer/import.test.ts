import { getImport, listImports, uploadImport } from '@reelmark/contract/imports.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { exportOnlyListNames } from '@reelmark/contract/transfer-account.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import {
  counterMismatches,
  createBlockedUser,
  emptyFile,
  exportAccount,
  failingDatabase,
  fillAccount,
  importFile,
  sampleBookmark,
  sampleTime,
  uploadAndStart,
  waitUntilFinished,
} from './full-account.fixture.ts'
import { transferQueues } from './jobs.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(async () => {
  expect(await counterMismatches(site)).toEqual([])
  // Waits for jobs that fetch thumbnails of films that do not exist.
  await site.close()
})
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const createBookmarks = (count: number) =>
  Array.from({ length: count }, (_, n) => sampleBookmark(`https://many.example.org/${userCount}/${n}`))
const findQueue = (name: string, deps = site.app.deps) => {
  const found = transferQueues(deps).find((findQueue) => findQueue.name === name)
  if (found === undefined) throw new Error(`no queue ${name}`)
  return found
}
const countBookmarks = async (user: TestUser) =>
  (await site.db`select count(*) from bookmarks where user_id = ${user.id}`)[0]?.count

/** The part of an export that an import restores: without username, time, comments and the account. */
const comparable = ({ username, exported_at, comments, account, ...rest }: TransferFile) =>
  Object.fromEntries(
    Object.entries(rest).filter(([name]) => !exportOnlyListNames.some((ignored) => ignored === name)),
  )

describe('an exported file', () => {
  test('is imported on another site without loss, and a second import adds nothing', async () => {
    await fillAccount(site, alice, bob)
    const file = await exportAccount(site, alice)
    const elsewhere = await bootApp({ work: true })
    try {
      const carol = await signUp(elsewhere, 'carol')
      const namesake = await signUp(elsewhere, bob.username)
      await saveFilm(elsewhere, namesake, 'of bob')
      await createBlockedUser(elsewhere, alice)
      const first = await importFile(elsewhere, carol, file)
      expect(first).toMatchObject({
        state: 'done',
        added: 7 + 2 + 1 + 1 + 3 + 1 + 1 + 1 + 2 + 2,
        duplicates: 0,
        failed: 0,
        problems: [],
      })
      expect(first.done).toBe(first.total)
      const again = await exportAccount(elsewhere, carol)
      // Includes the video under review, because reviews are not exported.
      expect(comparable(again)).toEqual(comparable(file))

      const second = await importFile(elsewhere, carol, file)
      expect(second).toMatchObject({ state: 'done', added: 0, duplicates: 21, problems: [] })
      expect(comparable(await exportAccount(elsewhere, carol))).toEqual(comparable(file))
      expect(await counterMismatches(elsewhere)).toEqual([])
      const [bookmark] =
        await elsewhere.db`select thumbnail_state from bookmarks where thumbnail_source_url like '%plain.jpg'`
      expect(bookmark?.thumbnail_state).toMatch(/pending|failed/)
    } finally {
      await elsewhere.close()
    }
  })

  test('is imported by another user of the same site with everything that the exporting user entered', async () => {
    await fillAccount(site, alice, bob)
    const carol = await signUp(site, `carol${userCount}`)
    const file = await exportAccount(site, alice)
    const result = await importFile(site, carol, file)
    expect(result).toMatchObject({ state: 'done', added: 21, failed: 0 })
    const again = await exportAccount(site, carol)
    expect(comparable(again)).toEqual(comparable(file))
    const listed = await site.call(listVideos, { query: { user: carol.username } })
    expect(listed.results.map(({ title }) => title)).not.toContain('Film secret')
  })
})

describe('a bookmark of an adult site that is sfw in the file', () => {
  const file = () => ({
    ...emptyFile,
    bookmarks: [sampleBookmark(`https://www.redtube.com/1234${userCount}`)],
  })

  test('is not imported, and the reason is reported', async () => {
    const result = await importFile(site, alice, file())
    expect(result).toMatchObject({ added: 0, failed: 1 })
    expect(result.problems[0]?.why).toBe('This site is for adults. Choose an orientation other than SFW.')
  })

  test('gets the user’s default orientation if that is an adult one', async () => {
    await site.db`update users set default_bookmark_orientation = 'trans' where id = ${alice.id}`
    expect(await importFile(site, alice, file())).toMatchObject({ added: 1, failed: 0 })
    const [row] = await site.db`select orientation from bookmarks where user_id = ${alice.id}`
    expect(row?.orientation).toBe('trans')
  })
})

describe('collections', () => {
  test('that are private stay private next to public ones with the same name', async () => {
    await saveFilm(site, alice, `mine ${userCount}`)
    const file = {
      ...emptyFile,
      collections: emptyFile.collections.map((collection) => ({ ...collection, access: 'private' as const })),
      bookmarks: [sampleBookmark('https://films.example.org/saved-in-private')],
    }
    await importFile(site, alice, file)
    const rows = await site.db`
      select c.name, c.access, b.is_visible from bookmarks b join collections c on c.id = b.collection_id
       where b.user_id = ${alice.id} order by b.id`
    expect(rows).toEqual([
      { name: 'My Vault', access: 'public', is_visible: true },
      { name: 'My Vault', access: 'private', is_visible: false },
    ])
    expect(await importFile(site, alice, file)).toMatchObject({ added: 0, duplicates: 1 })
    expect(await site.db`select from collections where user_id = ${alice.id}`).toHaveLength(2)
  })

  test('that the file does not contain are reported as missing, and other users’ collections cannot be reached', async () => {
    const bobs = await vaultDestination(site, bob)
    const result = await importFile(site, alice, {
      ...emptyFile,
      bookmarks: [
        sampleBookmark('https://films.example.org/a', { channel: 7 }),
        sampleBookmark('https://films.example.org/b', { collection: 5 }),
        sampleBookmark('https://films.example.org/c', {
          collection: Math.min(bobs.collection_id, 100_000),
          channel: null,
        }),
        sampleBookmark('https://films.example.org/d', { channel: null }),
      ],
    })
    expect(result).toMatchObject({ state: 'done', added: 1, failed: 3 })
    expect(result.problems[0]).toEqual({
      what: 'https://films.example.org/a',
      why: "Its channel is missing from the file or couldn't be imported.",
    })
    expect(await countBookmarks(bob)).toBe(0)
  })
})

test('followed collections are found by owner and name if they are public, and followed tags up to the limit', async () => {
  const bobs = await vaultDestination(site, bob)
  await createDestination(site, bob, 'private')
  const banned = await signUp(site, `banned-owner${userCount}`)
  const blocker = await signUp(site, `blocker${userCount}`)
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  await site.db`insert into blocks (blocker_id, blocked_id) values (${blocker.id}, ${alice.id})`
  await site.db`insert into followed_lists (user_id, tag) select ${alice.id}, 'tag ' || n from generate_series(1, 197) n`
  const named = (username: string, collection: string, channel: string | null = null) => ({
    username,
    collection,
    channel,
    followed_at: sampleTime,
  })
  const result = await importFile(site, alice, {
    ...emptyFile,
    followed_collections: [
      named(bob.username.toUpperCase(), 'My Vault'),
      named(bob.username, 'My Vault', 'General'),
      named(bob.username, 'My Vault', 'No such channel'),
      named(bob.username, 'Another'),
      named(alice.username, 'My Vault'),
      named(banned.username, 'My Vault'),
      named(blocker.username, 'My Vault'),
      named('no-such-user', 'My Vault'),
    ],
    followed_tags: ['Tag 1', 'New', 'Newer'].map((tag) => ({ tag, followed_at: sampleTime })),
  })
  expect(result).toMatchObject({ state: 'done', added: 3, duplicates: 1, failed: 7 })
  expect(new Set(result.problems.map(({ what, why }) => `${what}: ${why}`))).toEqual(
    new Set([
      'My Vault: No public collection or channel with this name.',
      'No such channel: No public collection or channel with this name.',
      'Another: No public collection or channel with this name.',
      "Newer: You've reached the limit for collections, channels and tags.",
    ]),
  )
  const rows = await site.db`
    select collection_id, channel_id, tag from followed_lists
     where user_id = ${alice.id} and (tag is null or tag like 'new%') order by id`
  expect(rows).toEqual([
    { collection_id: bobs.collection_id, channel_id: null, tag: null },
    { collection_id: null, channel_id: bobs.channel_id, tag: null },
    { collection_id: null, channel_id: null, tag: 'new' },
  ])
})

test('times in the future are limited to now, removed videos are not imported, and duplicates are merged', async () => {
  const removed = await saveFilm(site, bob, `removed ${userCount}`)
  await site.db`update videos set status = 'removed' where id = ${removed.video.id}`
  const link = `https://films.example.org/times/${userCount}`
  const result = await importFile(site, alice, {
    ...emptyFile,
    bookmarks: [
      sampleBookmark(link, { tags: ['One', 'one '] }),
      sampleBookmark(`${link}?utm_source=x`),
      sampleBookmark(`${link}/later`, { created_at: '2999-01-01T00:00:00Z' }),
      sampleBookmark(removed.video.source_url),
      sampleBookmark(`https://films.example.org/${'ü'.repeat(1500)}`),
    ],
  })
  expect(result).toMatchObject({ added: 2, duplicates: 1, failed: 2 })
  expect(result.problems.map(({ why }) => why).sort()).toEqual([
    'This link is too long.',
    'This video was removed by the moderators.',
  ])
  const rows = await site.db`
    select tags, to_char(created_at at time zone 'UTC', 'US') as micros, created_at <= now() as is_past
      from bookmarks where user_id = ${alice.id} order by id`
  expect(rows).toMatchObject([{ tags: ['one'], micros: '123456', is_past: true }, { is_past: true }])
})

test('only likes of visible videos and follows of existing users are imported, and changed settings stay', async () => {
  const [shown, secret] = [
    await saveFilm(site, bob, `shown ${userCount}`),
    await saveFilm(site, bob, `secret ${userCount}`, { bookmark: { access: 'private' } }),
  ]
  const banned = await signUp(site, `banned${userCount}`)
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  await site.db`update users set bio = 'Mine', notify_on_follow = false where id = ${alice.id}`
  const result = await importFile(site, alice, {
    ...emptyFile,
    profile: {
      ...emptyFile.profile,
      bio: 'Theirs',
      default_bookmark_orientation: 'trans',
      default_bookmark_collection: 0,
      notify_on_own_video_liked: false,
    },
    likes: [shown, secret].map(({ video }) => ({ source_url: video.source_url, created_at: sampleTime })),
    following: [bob.username.toUpperCase(), alice.username, banned.username, 'unknown-user', '__proto__'].map(
      (username) => ({ username, followed_at: sampleTime }),
    ),
  })
  expect(result).toMatchObject({ state: 'done', added: 2, failed: 5 })
  expect(result.problems).toContainEqual({
    what: secret.video.source_url,
    why: 'Video not found.',
  })
  const { collection_id } = await vaultDestination(site, alice)
  expect(
    await site.db`
      select bio, default_bookmark_orientation, default_bookmark_collection, notify_on_follow, notify_on_own_video_liked
        from users where id = ${alice.id}`,
  ).toEqual([
    {
      bio: 'Mine',
      default_bookmark_orientation: 'trans',
      default_bookmark_collection: collection_id,
      notify_on_follow: false,
      notify_on_own_video_liked: false,
    },
  ])
})

test('a second import is refused while one is running; imports are visible to their owner only, in pages', async () => {
  const first = await importFile(site, alice, emptyFile)
  await site.db`insert into imports (user_id, state) values (${alice.id}, 'waiting')`
  expect(await failedReply(site.call(uploadImport, { body: emptyFile }, alice))).toMatchObject({
    status: 409,
  })
  expect(await failedReply(site.call(getImport, { params: { id: first.id } }, bob))).toMatchObject({
    status: 404,
  })
  expect(await site.call(listImports, { query: {} }, bob)).toMatchObject({ count: 0 })
  const page = await site.call(listImports, { query: { page: 2, page_size: 1 } }, alice)
  expect(page).toMatchObject({ count: 2, next: null, results: [{ id: first.id }] })
  await site.db`update imports set finished_at = now() - interval '31 days' where id = ${first.id}`
  await findQueue('remove-old-transfers').work({})
  expect(await failedReply(site.call(getImport, { params: { id: first.id } }, alice))).toMatchObject({
    status: 404,
  })
})

describe('an import whose process dies', () => {
  test('continues after its last part without losses or duplicates, and its progress is visible', async () => {
    const file = { ...emptyFile, bookmarks: createBookmarks(1500) }
    const { id } = await uploadAndStart(site, alice, file)
    const progress = new Set<number>()
    await expect
      .poll(
        async () => {
          const { done } = await site.call(getImport, { params: { id } }, alice)
          progress.add(done)
          return done
        },
        { interval: 5 },
      )
      .toBeGreaterThan(300)
    // The running process is considered dead: from now on its writes have no effect.
    await site.db`update imports set attempts = attempts + 1, heartbeat_at = now() - interval '2 minutes' where id = ${id}`
    const failing = failingDatabase(site.db, { transactions: 6 })
    await findQueue('run-import', { ...site.app.deps, db: failing }).work({ import_id: id })
    const half = await site.call(getImport, { params: { id } }, alice)
    expect(half).toMatchObject({ state: 'running' })
    expect(half.done).toBeLessThan(half.total)
    await findQueue('run-import').work({ import_id: id })
    expect((await site.call(getImport, { params: { id } }, alice)).done).toBe(half.done)

    await site.db`update imports set heartbeat_at = now() - interval '2 minutes' where id = ${id}`
    await Promise.all([1, 2].map(() => findQueue('resume-transfers').work({})))
    const result = await waitUntilFinished(() => site.call(getImport, { params: { id } }, alice))
    expect(result).toMatchObject({
      state: 'done',
      outcomes: { new: 1500, known: 2 + 1 },
      done: 1502,
      total: 1502,
    })
    expect(await countBookmarks(alice)).toBe(1500)
    expect(progress.size).toBeGreaterThan(1)
    expect(await site.db`select from import_parts`).toHaveLength(0)
    expect(await site.db`select from import_containers`).toHaveLength(0)
  })

  test('stops if its user is banned, suspended or deleted', async () => {
    const begin = async (user: TestUser) => {
      const [row] =
        await site.db`insert into imports (user_id, state, total) values (${user.id}, 'waiting', 1) returning id`
      const items = JSON.stringify([sampleBookmark('https://films.example.org/late')])
      await site.db`insert into import_parts values (${row?.id}, 'bookmarks', 0, ${items}::text::json)`
      return row?.id as number
    }
    const carol = await signUp(site, `carol${userCount}`)
    const [importOfAlice, importOfBob, importOfCarol] = [
      await begin(alice),
      await begin(bob),
      await begin(carol),
    ]
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    await site.db`delete from users where id = ${bob.id}`
    await site.db`update users set suspended_until = now() + interval '3 days' where id = ${carol.id}`
    for (const import_id of [importOfAlice, importOfBob, importOfCarol]) {
      await findQueue('run-import').work({ import_id })
    }
    const rows =
      await site.db`select state from imports where id in (${importOfAlice}, ${importOfBob}, ${importOfCarol})`
    expect(rows).toEqual([{ state: 'failed' }, { state: 'failed' }])
    expect([await countBookmarks(alice), await countBookmarks(carol)]).toEqual([0, 0])
  })
})

test('a row that the database refuses fails alone, and the others are imported', async () => {
  await site.db`alter table bookmarks add constraint odd check (title <> 'odd')`
  const bookmarks = createBookmarks(10).map((bookmark, n) =>
    n === 4 ? { ...bookmark, title: 'odd' } : bookmark,
  )
  const result = await importFile(site, alice, { ...emptyFile, bookmarks })
  await site.db`alter table bookmarks drop constraint odd`
  expect(result).toMatchObject({ state: 'done', added: 9, failed: 1 })
  expect(result.problems).toEqual([
    { what: bookmarks[4]?.video.source_url, why: "This item couldn't be saved." },
  ])
  const index = site.log.findIndex(({ msg }) => msg === 'a row of an import was refused')
  expect(site.log.splice(index, 1)).toMatchObject([{ position: 4, kind: 'bookmarks' }])
})

test('a bookmark of a permanently removed video is refused and leaves no video behind', async () => {
  const bookmarks = createBookmarks(1)
  const link = canonicalUrl(bookmarks[0]?.video.source_url ?? '') ?? ''
  await site.db`insert into refused_links (canonical_hash) values (url_hash(${link}))`
  const result = await importFile(site, alice, { ...emptyFile, bookmarks })
  expect(result).toMatchObject({ state: 'done', added: 0, failed: 1 })
  expect(await site.db`select source_url from videos where canonical_url = ${link}`).toEqual([])
})

test('of several bookmarks of a page, only the one with the player of a removed video is refused', async () => {
  const link = `https://many.example.org/${userCount}/player`
  const player = `https://vimeo.com/7700${userCount}`
  await site.db`insert into refused_links (canonical_hash) values (url_hash(${canonicalUrl(player)}))`
  const plain = sampleBookmark(link)
  const refused = { ...plain, video: { ...plain.video, embed_url: player } }
  const result = await importFile(site, alice, { ...emptyFile, bookmarks: [refused, plain] })
  expect(result).toMatchObject({ state: 'done', added: 1, failed: 1 })
  expect(await site.db`select embed_url from bookmarks where user_id = ${alice.id}`).toEqual([
    { embed_url: null },
  ])
})

test('two concurrent imports of the same new videos in opposite order both succeed', {
  tags: 'heavy',
}, async () => {
  const bookmarks = createBookmarks(400)
  const results = await Promise.all([
    importFile(site, alice, { ...emptyFile, bookmarks }),
    importFile(site, bob, { ...emptyFile, bookmarks: bookmarks.toReversed() }),
  ])
  for (const result of results) expect(result).toMatchObject({ state: 'done', added: 400, failed: 0 })
})
