/**
 * `node bench/explain-listings.ts [--rows 1000000] [--only TEXT] [--blocks]`: measures each kind of listing and search over
 * one connection, as a visitor and signed in, at page 1, 400 and 10,000, and names the indexes of its plan. `--blocks` uses
 * a viewer with many blocks and mutes. Fails if a listing scans a large table sequentially or takes longer than its target.
 */
import { parseArgs } from 'node:util'
import { type ListingQuery, listingOrders } from '@reelmark/contract/listing.ts'
import type { Viewer } from '../server/core/auth/session.ts'
import { connect } from '../server/core/database/database.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { createViewer } from '../server/testing/test-viewer.ts'
import { addBlocksAndMutes, openBenchDatabase } from './bench-database.ts'
import { oldWord, rareWords, roles } from './generated-site.ts'
import { mediumWord, withCursor, word } from './list-queries.ts'
import { findSequentialScans, maxMedianMs, readPlans, timeRequest, usedIndexes } from './query-plans.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    blocks: { type: 'boolean', default: false },
  },
})

const database = await openBenchDatabase(Number(values.rows))
const db = connect(database.url, { max: 1, statementTimeout: 60_000 })
const signedIn = (id: number): Viewer =>
  createViewer({ id, username: `person${id}`, has_blocks_or_mutes: values.blocks })
await db`delete from blocks`
await db`delete from mutes`
if (values.blocks) await addBlocksAndMutes(db)

const [common, second, medium, rare] = [word(1), word(2), mediumWord(Number(values.rows)), rareWords.anyAge]
const seed = 1_234_567
const cases: [string, ListingQuery][] = [
  ['explore', {}],
  ['explore, common orientation', { orientation: 'straight' }],
  ['explore, rare orientation', { orientation: 'trans' }],
  ['random', { sort: 'random', seed }],
  ['random, rare orientation', { sort: 'random', seed, orientation: 'bi' }],
  ['profile', { user: 'person5000' }],
  ['profile, 26,000 bookmarks', { user: 'person1' }],
  ['profile, of an orientation', { user: 'person1', orientation: 'straight' }],
  ['liked', { liked_by: 'person100' }],
  ['liked, up to a million', { liked_by: `person${roles.likesMost}` }],
  ['liked, of an orientation', { liked_by: `person${roles.likesMost}`, orientation: 'trans' }],
  ['channel', { channel: 1 }],
  ['collection', { collection: 1 }],
  ['tag, common', { tag: common }],
  ['tag, rare', { tag: word(1900) }],
  ['search, common', { q: common }],
  ['search, medium', { q: medium }],
  ['search, rare', { q: rare }],
  ['search, two words', { q: `${common} ${medium}` }],
  ['search, two common words', { q: `${common} ${second}` }],
  ['search, misspelt', { q: `${rare}x` }],
  ['search, misspelt, common', { q: `${word(3)}x` }],
  ['search, no such word', { q: 'qqqqqqq' }],
  ['search, only in old rows', { q: oldWord }],
  ['search, rare and old', { q: rareWords.old }],
  ['search, old and common', { q: `${oldWord} ${common}` }],
  ['search, excluded word', { q: `-${common}` }],
  ['search, phrase', { q: `"${common} ${second}"` }],
  ['search, a site', { q: 'site:site9.example.org' }],
  ['search, uploader, common', { q: 'channel:channel1' }],
  ['search, uploader, medium', { q: 'channel:channel300' }],
  ['search, uploader, rare', { q: 'channel:channel15000' }],
  ['search, uploader and word', { q: `channel:channel1 ${medium}` }],
  [
    'search, uploader, more from this channel',
    { q: 'channel:channel300', host: 'site9.example.org', orientation: 'straight', page_size: 9 },
  ],
  ['search, uploader, own', { user: 'person1', q: 'channel:channel1' }],
  ['search, of an orientation', { q: common, orientation: 'straight' }],
  ['search, of a rare orientation', { q: medium, orientation: 'trans' }],
  ['search, a user', { q: 'user:person1' }],
  ['search, random', { q: common, sort: 'random', seed }],
  ['search, random, medium', { q: medium, sort: 'random', seed }],
  ['search, random, rare', { q: rare, sort: 'random', seed }],
  ['search on a profile', { user: 'person1', q: medium }],
  ['search in likes', { liked_by: `person${roles.likesMost}`, q: medium }],
]
for (const sort of listingOrders.filter((order) => order !== 'newest')) {
  cases.push(
    [`search by ${sort}, common`, { q: common, sort }],
    [`search by ${sort}, medium`, { q: medium, sort }],
    [`search by ${sort}, rare`, { q: rare, sort }],
    [`search by ${sort}, misspelt`, { q: `${rare}x`, sort }],
    [`search by ${sort}, only in old rows`, { q: oldWord, sort }],
  )
}
const feeds: [string, ListingQuery, number][] = [
  ['following 500', { sort: 'following' }, roles.follows500],
  ['following 10,000', { sort: 'following' }, roles.follows10000],
  ['following 10,000, search', { sort: 'following', q: medium }, roles.follows10000],
]

const report: Record<string, unknown>[] = []
const isRequested = (name: string) => values.only === undefined || name.includes(values.only)
for (const [name, query] of cases.filter(([name]) => isRequested(name))) {
  if (!values.blocks) await measure(name, 'visitor', query, null)
  await measure(name, 'signed in', query, signedIn(1))
}
for (const [name, query, user] of feeds.filter(([name]) => isRequested(name))) {
  await measure(name, 'signed in', query, signedIn(user))
}
console.table(report)
await db.end({ timeout: 5 })
await database.stop()

async function measure(name: string, as: string, query: ListingQuery, viewer: Viewer | null): Promise<void> {
  const read = (page: ListingQuery) => listingReply(db, page, viewer)
  const first = await read(query)
  const pages: [string, ListingQuery][] = [['1', query]]
  for (const page of [400, 10_000]) {
    // Muted and blocked content is counted roughly, so that the page may not exist.
    if (first.count < page * 25 * 1.3) continue
    const byCursor = await withCursor(db, query, page, viewer)
    if (byCursor !== null) pages.push([`${page}`, byCursor])
    if (page === 400) pages.push(['400 by number', { ...query, page }])
  }
  for (const [page, pageQuery] of pages) {
    const plan = await readPlans(db, (explaining) => listingReply(explaining, pageQuery, viewer))
    const scans = findSequentialScans(plan)
    const { best, median, p99 } = await timeRequest(() => read(pageQuery))
    const problems = [...(median > maxMedianMs ? ['slow'] : []), ...scans.map((table) => `scans ${table}`)]
    if (problems.length > 0) process.exitCode = 1
    const row = {
      listing: name,
      as,
      page,
      count: `${first.count_is_estimate ? '~' : ''}${first.count}`,
      best,
      median,
      p99,
      'indexes of bookmarks': usedIndexes(plan, 'bookmarks'),
      problems: problems.join(', '),
    }
    report.push(row)
    // Also while it runs: with slow listings, the table takes many minutes.
    console.log(Object.values(row).join(' | '))
  }
}
