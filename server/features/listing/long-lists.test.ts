import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { parseSearch } from '@reelmark/contract/search-terms.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { vaultDestination } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { allBookmarks, type ListingFilter } from './listing-filter.ts'
import { recountLongLists } from './long-lists.ts'
import { saveManyFilms } from './many-films.fixture.ts'
import { planListing } from './plan-listing.ts'
import { pageIds, recountListing } from './queries.ts'
import { readAllPages } from './read-all-pages.fixture.ts'
import { searchCondition } from './search-queries.ts'
import { withoutTriggers } from './without-triggers.fixture.ts'

let site: TestApp
let ines: TestUser
let tom: TestUser
let collection: number

/** Saves 20,500 videos as Ines, the newest 100 privately, every fifth as straight and 9,900 others as gay, and likes them as Tom. */
beforeAll(async () => {
  site = await bootApp()
  ines = await signUp(site, 'ines')
  tom = await signUp(site, 'tom')
  collection = (await vaultDestination(site, ines)).collection_id
  const { db } = site
  await saveManyFilms(
    db,
    ines,
    collection,
    { first: 1, last: 20_500, lastPublic: 20_400 },
    {
      title: db`'film ' || n`,
      orientation: db`case when n % 5 = 0 then 'straight' when n <= 12375 then 'gay' else 'sfw' end`,
      createdAt: db`now() - (20500 - n) * interval '1 minute'`,
      duration: db`null::int`,
      savesCount: db`1`,
      likesCount: db`1`,
    },
  )
  await withoutTriggers(site.db, async (tx) => {
    await tx`
      insert into likes (user_id, video_id, created_at)
      select ${tom.id}, n * 219687786701, now() - n * interval '1 minute' from generate_series(1, 20400) n`
  })
  await site.db`analyze`
  await recountLongLists(site.db)
})
afterAll(() => site.close())

const count = async (query: ListingQuery, user: TestUser | null = null) => {
  const { count, count_is_estimate } = await site.call(listVideos, { query }, user)
  return { count, isEstimate: count_is_estimate === true }
}

test('a long list shows the stored count, marked as an estimate', async () => {
  expect(await count({ user: 'ines' })).toEqual({ count: 20_400, isEstimate: true })
  expect(await count({ user: 'ines' }, tom)).toEqual({ count: 20_400, isEstimate: true })
  expect(await count({ collection })).toEqual({ count: 20_400, isEstimate: true })
  expect(await count({ collection }, tom)).toEqual({ count: 20_400, isEstimate: true })
  expect(await count({ liked_by: 'tom' })).toEqual({ count: 20_400, isEstimate: true })
})

test('own bookmarks with a word are counted exactly up to 10,000, and estimated well above', async () => {
  for (const q of ['film', 'film -is:watched']) {
    expect(await count({ user: 'ines', orientation: 'gay', q }, ines)).toEqual({
      count: 9900,
      isEstimate: false,
    })
  }
  // 14,000 are, so many that an eighth of them shows it, and not a 64th.
  const { count: adult, isEstimate } = await count({ user: 'ines', q: 'film is:adult' }, ines)
  expect(isEstimate).toBe(true)
  expect(Math.abs(adult - 14_000)).toBeLessThan(1200)
  const all = await count({ user: 'ines', q: 'film' }, ines)
  expect(Math.abs(all.count - 20_500)).toBeLessThan(4000)
})

test('own bookmarks of a collection are counted in its index if it has the columns of the filters', async () => {
  const list = { user: 'ines', collection }
  expect(await count({ ...list, orientation: 'gay' }, ines)).toEqual({ count: 9900, isEstimate: false })
  expect(await count({ ...list, orientation: 'gay', q: 'is:unwatched' }, ines)).toEqual({
    count: 9900,
    isEstimate: false,
  })
})

test.each([2, 21, 60, 100])('page %i of a search has the results from there on', async (page) => {
  const { results } = await site.call(listVideos, { query: { q: 'film', page, page_size: 100 } })
  const first = 20_400 - (page - 1) * 100
  expect(results.map(({ title }) => title)).toEqual(
    Array.from({ length: 100 }, (_, n) => `film ${first - n}`),
  )
})

test('further pages of a long search are not counted again', async () => {
  const query = { q: 'film', orientation: 'gay' } as const
  const cursor = await cursorAfter(query)
  expect(cursor).toMatch(/n9900$/)
  const next = await count({ ...query, page: 2, cursor: cursor.replace(/n9900$/, 'n5000') })
  expect(next).toEqual({ count: 5000, isEstimate: false })
  // Users change their own bookmarks while they read them, and likes are counted fast.
  expect(await cursorAfter({ ...query, user: 'ines' }, ines)).not.toContain('n')
  expect(await cursorAfter({ liked_by: 'tom', q: 'film' })).not.toContain('n')
})

/** Returns the cursor that leads to the second page of a list. */
async function cursorAfter(query: ListingQuery, user: TestUser | null = null): Promise<string> {
  const { next } = await site.call(listVideos, { query }, user)
  return new URL(next ?? '', 'http://localhost').searchParams.get('cursor') ?? ''
}

test('a search in random order reads few results above where the order begins, when it continues there', async () => {
  const { db } = site
  const filter: ListingFilter = {
    ...allBookmarks,
    search: searchCondition(db, parseSearch('film').terms, null),
    randomStart: 0.01,
  }
  const { segments } = await planListing(db, filter, null)
  const [row] = await db<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`
    explain (analyze, format json) ${pageIds(db, { segments, size: 25, skip: 1000, cursor: null })}`
  const plan = row?.['QUERY PLAN'][0]?.Plan
  expect(plan?.['Actual Rows']).toBe(26)
  expect(readFromIndex(plan as PlanNode)).toBeLessThan(5000)
})

interface PlanNode {
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

/** Returns how many rows a plan found in the index of public searches. */
function readFromIndex(node: PlanNode): number {
  const own = node['Index Name'] === 'bookmarks_search' ? node['Actual Rows'] * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, part) => sum + readFromIndex(part), own)
}

test('the stored count of private bookmarks is shown to their owner only', async () => {
  expect(await count({ user: 'INES' }, ines)).toEqual({ count: 20_500, isEstimate: true })
  expect(await count({ collection }, ines)).toEqual({ count: 20_500, isEstimate: true })
})

test('further filters do not use the stored count', async () => {
  expect(await count({ user: 'ines', orientation: 'straight' })).toEqual({ count: 4080, isEstimate: false })
  expect(await count({ user: 'ines', q: 'film' })).not.toMatchObject({ count: 20_400 })
  expect(await count({ user: 'ines', liked_by: 'nobody' })).toEqual({ count: 0, isEstimate: false })
})

test('filtered likes of a long list are estimated from a part of them', async () => {
  const { count: liked, isEstimate } = await count({ liked_by: 'tom', orientation: 'straight' })
  expect(isEstimate).toBe(true)
  // 4,080 are; the part has 2,000 of 20,400 likes.
  expect(liked).toBeGreaterThan(3500)
  expect(liked).toBeLessThan(4700)
})

test('a search in many likes finds the latest ones first, and is estimated if it finds many', async () => {
  await recountListing(site.db)
  const query = { liked_by: 'tom', q: 'film' }
  const { count: all, isEstimate } = await count(query)
  expect(isEstimate).toBe(true)
  expect(Math.abs(all - 20_400)).toBeLessThan(4000)
  for (const page of [1, 40]) {
    const { results } = await site.call(listVideos, { query: { ...query, page } })
    const first = (page - 1) * 25 + 1
    expect(results.map(({ title }) => title)).toEqual(
      Array.from({ length: 25 }, (_, n) => `film ${first + n}`),
    )
  }
  const { results: byTitle } = await site.call(listVideos, { query: { ...query, sort: 'title' } })
  expect(byTitle.slice(0, 3).map(({ title }) => title)).toEqual(['film 1', 'film 10', 'film 100'])
})

test('a search that finds few of many likes is counted exactly, also in another order and with an orientation', async () => {
  await recountListing(site.db)
  for (const query of [
    {},
    { sort: 'title' },
    { sort: 'random', seed: 7 },
    { orientation: 'straight' },
  ] as const) {
    const { count, count_is_estimate, results } = await site.call(listVideos, {
      query: { liked_by: 'tom', q: 'film 4200', ...query },
    })
    expect({ count, count_is_estimate, titles: results.map(({ title }) => title) }).toEqual({
      count: 1,
      titles: ['film 4200'],
    })
  }
  expect(await count({ liked_by: 'tom', q: 'film 4200', orientation: 'gay' })).toEqual({
    count: 0,
    isEstimate: false,
  })
})

test('watched and other videos of Explore are estimated if there are many, and counted if they are few', async () => {
  const [wim, vera] = [await signUp(site, 'wim'), await signUp(site, 'vera')]
  await recountListing(site.db)
  const watch = (user: TestUser, last: number) => site.db`
    insert into watched_videos (user_id, video_id)
    select ${user.id}, n * 219687786701 from generate_series(1, ${last}::bigint) n`
  await watch(wim, 20_500)
  await watch(vera, 100)
  const all = await count({ watched: true }, wim)
  expect(all.isEstimate).toBe(true)
  expect(Math.abs(all.count - 20_400)).toBeLessThan(2000)
  const straight = await count({ watched: true, orientation: 'straight' }, wim)
  expect(straight).toEqual({ count: 4080, isEstimate: false })
  expect(await count({ watched: true }, vera)).toEqual({ count: 100, isEstimate: false })
  expect(await count({ watched: false }, wim)).toEqual({ count: 0, isEstimate: false })
  const others = await count({ watched: false }, vera)
  expect(Math.abs(others.count - 20_300)).toBeLessThan(2000)
})

test('many own bookmarks of some dates are listed by last watched, and then the others', async () => {
  await site.db`
    insert into watched_videos (user_id, video_id, watched_at)
    select ${ines.id}, n * 219687786701, now() - n * 7919 % 20500 * interval '1 minute' from generate_series(100::bigint, 20500, 100) n`
  const date = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
  const expected = await site.db<{ id: number }[]>`
    select b.id from bookmarks b left join watched_videos w on w.user_id = b.user_id and w.video_id = b.video_id
     where b.user_id = ${ines.id} and b.created_at < ${date}::date
     order by w.watched_at desc nulls last, b.created_at desc, b.id desc limit 300`
  const query: ListingQuery = { user: 'ines', saved_before: date, sort: 'last_watched', page_size: 100 }
  const ids: number[] = []
  for (let page = await site.call(listVideos, { query }, ines); ids.length < 300; ) {
    ids.push(...page.results.map(({ id }) => id))
    const url = page.next ?? ''
    page = (await site.app.inject({ url, headers: { authorization: `Bearer ${ines.access}` } })).json()
  }
  expect(ids).toEqual(expected.map(({ id }) => id))
})

test('a user who is blocked sees neither the list nor its length', async () => {
  const blocked = await signUp(site, 'blocked')
  await site.db`insert into blocks (blocker_id, blocked_id) values (${ines.id}, ${blocked.id}), (${tom.id}, ${blocked.id})`
  expect(await count({ user: 'ines' }, blocked)).toEqual({ count: 0, isEstimate: false })
  expect(await count({ collection }, blocked)).toEqual({ count: 0, isEstimate: false })
  expect(await count({ liked_by: 'tom' }, blocked)).toEqual({ count: 0, isEstimate: false })
})

test('a list that is no longer long is counted exactly', async () => {
  await site.db`delete from likes where user_id = ${tom.id} and created_at < now() - interval '50.5 minutes'`
  await recountLongLists(site.db)
  expect(await count({ liked_by: 'tom' })).toEqual({ count: 50, isEstimate: false })
})

test('the feed of a user who follows many has the newest bookmarks of all of them, also behind those of others', async () => {
  const ulla = await signUp(site, 'ulla')
  await withoutTriggers(site.db, async (tx) => {
    await tx`insert into users (username, email) select 'saver' || n, 'saver' || n || '@example.org' from generate_series(1, 320) n`
    await tx`insert into follows (follower_id, followee_id)
             select ${ulla.id}, id from users where username like 'saver%'`
    await tx`update users set following_count = 320 where id = ${ulla.id}`
    // 640 bookmarks of followed users: half are older than 3,100 of Ines, and half are newer.
    await tx`
      insert into bookmarks (id, user_id, video_id, collection_id, title, is_public, is_visible, created_at)
      overriding system value
      select 100000 + n, u.id, n * 219687786701, ${collection}, 'film', true, true,
             now() - (case when n <= 320 then 0 else 3200 end) * interval '1 minute' - n * interval '1 second'
        from generate_series(1, 640) n join users u on u.username = 'saver' || (n % 320 + 1)`
  })
  const expected = await site.db<{ id: number }[]>`
    select b.id from bookmarks b join follows f on f.followee_id = b.user_id and f.follower_id = ${ulla.id}
     order by b.created_at desc, b.id desc`
  const { ids: found, last } = await readAllPages(site, { sort: 'following', page_size: 100 }, ulla)
  expect(found).toEqual(expected.map(({ id }) => id))
  const backwards = await site.app.inject({
    url: last.previous ?? '',
    headers: { authorization: `Bearer ${ulla.access}` },
  })
  expect(backwards.json().results.map(({ id }: { id: number }) => id)).toEqual(found.slice(500, 600))
})
