import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { readAllPages } from './read-all-pages.fixture.ts'
import { selectPopularBookmarks } from './search-ranking.ts'

const { site, alice, bob } = await useSite()

const page = (query: ListingQuery, user: TestUser | null = null) => site.call(listVideos, { query }, user)

/** Returns the titles that a search by relevance finds, in order. */
const titlesFor = async (q: string) =>
  (await page({ q, sort: 'relevance' })).results.map(({ title }) => title)

interface Row {
  id: number
  title: string
}

interface Film {
  title: string
  description?: string
  tags?: string[]
  saves?: number
  years?: number
}

/** Saves a film with a number of saves and an age in years. */
async function saveAged({ title, description = '', tags = [], saves = 1, years = 1 }: Film): Promise<void> {
  const { id } = await saveFilm(site, bob, title, { video: { title, description, tags } })
  await site.db`update bookmarks set created_at = now() - ${years}::float8 * interval '365.25 days' where id = ${id}`
  await site.db`update videos set saves_count = ${saves} where lead_bookmark_id = ${id}`
}

test('a match in the title comes before one in a tag, and that before one in the description', async () => {
  await saveAged({ title: 'First film', description: 'A walrus swims.' })
  await saveAged({ title: 'Second film', tags: ['walrus'] })
  await saveAged({ title: 'The walrus film' })
  await saveAged({ title: 'Third film', description: 'Another walrus.' })
  expect(await titlesFor('walrus')).toEqual(['The walrus film', 'Second film', 'Third film', 'First film'])
  // What all results have in common, or what they must not contain, does not change the order.
  expect(await titlesFor('walrus user:bob -penguin site:films.example.org')).toEqual([
    'The walrus film',
    'Second film',
    'Third film',
    'First film',
  ])
})

test('among equal matches, those with more saves come first, and then newer ones', async () => {
  await saveAged({ title: 'Otter one', years: 3 })
  await saveAged({ title: 'Otter two', years: 2 })
  await saveAged({ title: 'Otter three', years: 3, saves: 5 })
  await saveAged({ title: 'Otter four', years: 2, saves: 400 })
  expect(await titlesFor('otter')).toEqual(['Otter four', 'Otter two', 'Otter three', 'Otter one'])
})

test('a title with both words comes before one with a single word', async () => {
  await saveAged({ title: 'Puffin', description: 'On the cliff.' })
  await saveAged({ title: 'Puffin on a cliff' })
  await saveAged({ title: 'Cliff', tags: ['puffin'] })
  expect(await titlesFor('puffin cliff')).toEqual(['Puffin on a cliff', 'Cliff', 'Puffin'])
})

test('exact matches come before those of a similar word, however often those were saved', async () => {
  await saveAged({ title: 'Flamingoes', saves: 4000, years: 0 })
  await saveAged({ title: 'A film', description: 'With a flamingo.', years: 9 })
  expect(await titlesFor('flamingo')).toEqual(['A film', 'Flamingoes'])
  const { results, corrected } = await page({ q: 'flamingoess', sort: 'relevance' })
  expect(results.map(({ title }) => title)).toEqual(['Flamingoes'])
  expect(corrected).toEqual([{ word: 'flamingoess', replacements: ['flamingoes'] }])
})

test('without a search, relevance is the order newest', async () => {
  const ids = async (query: ListingQuery) => (await readAllPages(site, query, null)).ids
  expect(await ids({ sort: 'relevance' })).toEqual(await ids({ sort: 'newest' }))
  expect(await ids({ sort: 'relevance', user: 'bob' })).toEqual(await ids({ sort: 'newest', user: 'bob' }))
  expect(await ids({ sort: 'relevance', saved_after: '2024' })).toEqual(
    await ids({ sort: 'newest', saved_after: '2024' }),
  )
  expect((await failedReply(page({ sort: 'relevance', following: true }, alice))).status).toBe(400)
})

test('beyond the ranked matches the others follow, newest first, on each page exactly once', async () => {
  const { db } = site
  const { collection_id, channel_id } = await vaultDestination(site, alice)
  const total = limits.rankedMax + 130
  await db`
    insert into videos (canonical_url, source_url, host)
    select 'https://many.example.org/' || n, 'https://many.example.org/' || n, 'many.example.org'
      from generate_series(1, ${total}::int) n`
  // Every third has the word in its title, the others in their description.
  await db`
    insert into bookmarks (user_id, video_id, collection_id, channel_id, title, description, created_at)
    select ${alice.id}, v.id, ${collection_id}, ${channel_id}, case when n % 3 = 0 then 'Meerkat' else 'Film' end,
           case when n % 3 = 0 then '' else 'a meerkat' end, now() - (${total}::int - n) * interval '1 hour'
      from videos v, substring(canonical_url from '[0-9]+$') digits, cast(digits as int) n
     where host = 'many.example.org' order by n`
  const rows: Row[] = await db<Row[]>`
    select id, title from bookmarks where user_id = ${alice.id} order by created_at desc, id desc`
  const byScore = (window: Row[]) => [
    ...window.filter(({ title }) => title === 'Meerkat'),
    ...window.filter(({ title }) => title !== 'Meerkat'),
  ]
  const ids = (list: Row[]) => list.map(({ id }) => id)
  const query = { q: 'meerkat', sort: 'relevance', page_size: 50 } as const
  const { rankedMax } = limits

  const expected = ids([...byScore(rows.slice(0, rankedMax)), ...rows.slice(rankedMax)])
  const all = await readAllPages(site, query, null)
  expect(all.ids).toEqual(expected)
  expect(all.count).toBe(total)
  // By page number, and backwards by links.
  const numbered = await page({ ...query, page: 11 })
  expect(numbered.results.map(({ id }) => id)).toEqual(expected.slice(500, 550))
  const previous = (await site.app.inject(numbered.previous ?? '')).json()
  expect(ids(previous.results)).toEqual(expected.slice(450, 500))

  // The most saved bookmarks of the site are ranked however old they are.
  const old = rows.filter(({ title }) => title !== 'Meerkat').slice(-3)
  await db`update videos set saves_count = 9000 where lead_bookmark_id = any (${ids(old)})`
  await selectPopularBookmarks(db)
  const [first = 0] = ids(old)
  const ranked = await readAllPages(site, query, null)
  expect(ranked.ids.toSorted()).toEqual(expected.toSorted())
  // Their saves outweigh the age of a month, but not that the others have the word in their title.
  const titled = byScore(rows.slice(0, rankedMax)).filter(({ title }) => title === 'Meerkat').length
  expect(ranked.ids.indexOf(first)).toBe(titled)
  expect(ranked.ids.slice(titled, titled + 3)).toEqual(ids(old))
})

test('a popular bookmark that became private is not found', async () => {
  await saveAged({ title: 'Capybara', saves: 50 })
  // With the role of the application, which runs the job.
  await selectPopularBookmarks(site.app.deps.db)
  expect(await titlesFor('capybara')).toEqual(['Capybara'])
  await site.db`update bookmarks set access = 'private' where title = 'Capybara'`
  expect(await titlesFor('capybara')).toEqual([])
})
