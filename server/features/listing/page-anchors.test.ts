import { type ListingPage, type ListingQuery, listingOrders, listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../core/database/database.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { createViewer } from '../../testing/test-viewer.ts'
import { recountLongLists } from './long-lists.ts'
import { saveManyFilms } from './many-films.fixture.ts'
import { recountListing } from './queries.ts'
import { listingReply } from './routes.ts'
import { storeAnchors, storeOrderAnchors } from './store-anchors.ts'
import { withoutTriggers } from './without-triggers.fixture.ts'

let site: TestApp
let ines: TestUser
let tom: TestUser
let collection: number
let channel: number

/**
 * Ines saves 20,500 videos, the newest 100 privately; two in three are straight, and all but 1,000 in a channel. Tom likes 20,400
 * of them.
 */
beforeAll(async () => {
  site = await bootApp()
  ines = await signUp(site, 'ines')
  tom = await signUp(site, 'tom')
  ;({ collection_id: collection, channel_id: channel } = await vaultDestination(site, ines))
  await saveFilms(1, 20_500, 20_400)
  await withoutTriggers(site.db, async (tx) => {
    await tx`
      insert into likes (user_id, video_id, created_at)
      select ${tom.id}, n * 219687786701, now() - n * 7919 % 30000 * interval '1 minute' from generate_series(1, 20400) n`
  })
  await site.db`analyze`
  await storeAll()
  // Inserting that many rows takes minutes on a busy machine.
}, 600_000)
afterAll(() => site.close())

/** Saves numbered films as Ines, one a minute, those up to `lastPublic` publicly. */
const saveFilms = (first: number, last: number, lastPublic: number) => {
  const { db } = site
  return saveManyFilms(
    db,
    ines,
    collection,
    { first, last, lastPublic },
    {
      title: db`'film ' || n * 7919 % 5000`,
      orientation: db`case when n % 3 = 0 then 'sfw' else 'straight' end`,
      createdAt: db`now() - (30000 - n) * interval '1 minute'`,
      duration: db`nullif(n * 13 % 900, 0)`,
      savesCount: db`n * 31 % 50`,
      likesCount: db`n * 17 % 40`,
      channelId: db`case when n > 1000 then ${channel}::bigint end`,
    },
  )
}

async function storeAll(): Promise<void> {
  await recountListing(site.db)
  await recountLongLists(site.db)
  await storeAnchors(site.db)
  await storeOrderAnchors(site.db)
}

/** Reads a page as a request does, but without the cache, because these rows are inserted without triggers. */
const page = (query: ListingQuery, user: TestUser | null = null) =>
  listingReply(site.app.deps.db, query, user === null ? null : createViewer(user))
const ids = ({ results }: ListingPage) => results.map(({ id }) => id)

/** Reads the page that a link leads to. */
const follow = (link: string | null, query: ListingQuery, user: TestUser | null) => {
  const parameters = new URL(link ?? '', site.settings.publicUrl).searchParams
  return page(
    { ...query, page: Number(parameters.get('page')), cursor: parameters.get('cursor') ?? '' },
    user,
  )
}

/** Reads a whole list by following its links, in large pages. */
async function readAll(query: ListingQuery, user: TestUser | null): Promise<number[]> {
  const large = { ...query, page_size: 4000 }
  let read = await page(large, user)
  const all = ids(read)
  while (read.next !== null) {
    read = await follow(read.next, large, user)
    all.push(...ids(read))
  }
  return all
}

const explored = listingOrders.flatMap((sort): [ListingQuery, null][] => [
  [{ sort }, null],
  [{ sort, orientation: 'straight' }, null],
])
const others = (): [ListingQuery, TestUser | null][] => [
  [{ user: 'ines' }, null],
  [{ user: 'ines', sort: 'oldest' }, tom],
  [{ user: 'ines' }, ines],
  [{ user: 'ines', sort: 'longest' }, ines],
  [{ user: 'ines', sort: 'shortest' }, ines],
  [{ user: 'ines', sort: 'title' }, ines],
  [{ user: 'ines', sort: 'title' }, tom],
  [{ user: 'ines', sort: 'shortest' }, null],
  [{ collection, sort: 'title' }, null],
  [{ collection, sort: 'title' }, tom],
  [{ collection, sort: 'title' }, ines],
  [{ channel, sort: 'title' }, null],
  [{ channel, sort: 'title' }, ines],
  [{ collection }, tom],
  [{ collection, sort: 'oldest' }, ines],
  [{ liked_by: 'tom' }, null],
  [{ liked_by: 'tom', sort: 'oldest' }, ines],
  [{ liked_by: 'tom', sort: 'title' }, null],
]

test('every page of a long list has the rows that following the links from page to page shows there', {
  tags: 'heavy',
  timeout: 300_000,
}, async () => {
  for (const [query, user] of [...explored, ...others()]) {
    const name = JSON.stringify([query, user?.username])
    const all = await readAll(query, user)
    expect(all.length, name).toBeGreaterThan(13_000)
    const last = Math.ceil(all.length / 25)
    for (const number of [1, 2, 4, 5, 8, 41, 137, 400, 401, 405, 500, last - 1, last]) {
      const found = await page({ ...query, page: number }, user)
      expect(ids(found), `${name} page ${number}`).toEqual(all.slice((number - 1) * 25, number * 25))
    }
    await expect(page({ ...query, page: last + 1 }, user), name).rejects.toThrow('Invalid page.')
  }
})

test('a page opened by its number continues in both directions without gaps or repetitions', async () => {
  for (const [query, user] of [...explored, ...others()]) {
    const middle = await page({ ...query, page: 450 }, user)
    const [before, after] = [
      await follow(middle.previous, query, user),
      await follow(middle.next, query, user),
    ]
    const found = [...ids(before), ...ids(middle), ...ids(after)]
    const expected = [
      ...ids(await page({ ...query, page: 449 }, user)),
      ...ids(middle),
      ...ids(await page({ ...query, page: 451 }, user)),
    ]
    expect(found, JSON.stringify(query)).toEqual(expected)
  }
})

test('without anchors a page number reaches the first 10,000 rows, and links the others', async () => {
  for (const query of [
    { q: 'film' },
    { user: 'ines', orientation: 'straight' },
    { sort: 'random', seed: 7 },
  ] satisfies ListingQuery[]) {
    const reached = await page({ ...query, page: 401 })
    expect(reached.results).toHaveLength(25)
    await expect(page({ ...query, page: 402 })).rejects.toThrow('Invalid page.')
    expect((await follow(reached.next, query, null)).results).toHaveLength(25)
  }
})

test('another user cannot learn from page numbers what a block hides', async () => {
  const blocked = await signUp(site, 'blocked')
  await site.db`insert into blocks (blocker_id, blocked_id) values (${ines.id}, ${blocked.id}), (${tom.id}, ${blocked.id})`
  for (const query of [{ user: 'ines' }, { collection }, { liked_by: 'tom' }] satisfies ListingQuery[]) {
    for (const number of [5, 500, 100_000]) {
      const reply = failedReply(site.call(listVideos, { query: { ...query, page: number } }, blocked))
      expect(await reply).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } })
    }
  }
})

test.each<ListingQuery>([{ sort: 'title' }, { sort: 'longest' }, { sort: 'newest' }, { sort: 'most_saved' }])(
  'page 400 of Explore with %j reads only a small part of its index',
  async ({ sort = 'newest' }) => {
    const db = connect(site.databaseUrl, { max: 1 })
    const indexes: Record<string, string> = {
      newest: 'bookmarks_listed',
      title: 'bookmarks_listed_by_title',
      longest: 'bookmarks_listed_by_duration',
      most_saved: 'videos_by_saves',
    }
    const readTuples = async () => {
      await db`select pg_stat_force_next_flush()`
      const [row] = await db<[{ read: number }]>`
        select idx_tup_read as read from pg_stat_user_indexes
         where indexrelname = ${indexes[sort] ?? ''}`
      return row.read
    }
    const { next } = await listingReply(db, { sort, page: 400 }, null)
    const before = await readTuples()
    await listingReply(db, { sort, page: 400 }, null)
    const cursor = new URL(next ?? '', site.settings.publicUrl).searchParams.get('cursor') ?? ''
    await listingReply(db, { sort, page: 401, cursor }, null)
    // The page, the rows that follow the anchor, and for times those before the first anchor.
    const read = (await readTuples()) - before
    expect(read).toBeGreaterThanOrEqual(26)
    expect(read).toBeLessThan(500)
    await db.end({ timeout: 5 })
  },
)

test('bookmarks saved since anchors were stored move the pages', async () => {
  await saveFilms(20_501, 20_637, 20_637)
  await site.db`analyze`
  for (const [query, user] of others()
    .slice(0, 8)
    // In other orders, pages do not move before anchors are stored again.
    .filter(([{ sort }]) => sort === undefined || sort === 'oldest')
    .concat([
      [{}, null],
      [{ orientation: 'straight' }, null],
    ])) {
    const all = await readAll(query, user)
    for (const number of [4, 5, 6, 7, 11, 137, 403, 500]) {
      const found = await page({ ...query, page: number }, user)
      expect(ids(found), `${JSON.stringify(query)} page ${number}`).toEqual(
        all.slice((number - 1) * 25, number * 25),
      )
    }
  }
})

test('after deletions pages differ by at most their number until anchors are stored again', async () => {
  await withoutTriggers(site.db, async (tx) => {
    await tx`delete from bookmarks where id between 15000 and 15059`
  })
  const all = await readAll({ user: 'ines' }, null)
  const firstOf = async (number: number) =>
    all.indexOf(ids(await page({ user: 'ines', page: number }))[0] ?? 0)
  expect(await firstOf(100)).toBe(2475)
  expect(await firstOf(500)).toBe(12_475 - 60)
  await storeAll()
  expect(await firstOf(500)).toBe(12_475)
})
