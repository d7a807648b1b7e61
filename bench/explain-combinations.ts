/**
 * `node bench/explain-combinations.ts [--rows 1000000] [--only TEXT] [--all] [--cpu]`: measures every combination of the
 * filters and orders of `GET /videos/`, without searched words, as a visitor and signed in, and prints those that take longer
 * than 25 ms with the indexes that they use. Then it prints the indexes of the large tables that no combination used. `--all`
 * prints all combinations. `--cpu` measures the CPU time of the database, for a machine that other processes use too.
 */
import { parseArgs } from 'node:util'
import { type ListingQuery, listingOrders } from '@reelmark/contract/listing.ts'
import { connect, type Sql } from '../server/core/database/database.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { createViewer } from '../server/testing/test-viewer.ts'
import { openBenchDatabase } from './bench-database.ts'
import { preciseCpuTime } from './cpu-time.ts'
import { roles } from './generated-site.ts'
import { word } from './list-queries.ts'
import { maxMedianMs, readPlans, usedIndexes } from './query-plans.ts'
import { median } from './statistics.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Measures only combinations whose name contains this text. */
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    cpu: { type: 'boolean', default: false },
  },
})
const database = await openBenchDatabase(Number(values.rows))
const db = connect(database.url, { max: 1, statementTimeout: 20_000 })

type Part = [string, ListingQuery]
const likes = { liked_by: `person${roles.likesMost}` }
const common = word(1)
const host = 'site9.example.org'
const scopes: Part[] = [
  ['everything', {}],
  ['profile', { user: 'person1' }],
  ['likes', likes],
  ['channel', { channel: 2 }],
  ['collection', { collection: 1 }],
  ['tag', { tag: common }],
  ['rare tag', { tag: word(1901) }],
  ['host', { host }],
  ['feed', { following: true }],
  ['profile and likes', { user: 'person1', ...likes }],
  ['profile and tag', { user: 'person1', tag: common }],
  ['profile and feed', { user: 'person1', following: true }],
  ['collection and tag', { collection: 1, tag: common }],
  ['collection and likes', { collection: 1, ...likes }],
  ['likes and tag', { ...likes, tag: common }],
  ['likes and host', { ...likes, host }],
  ['tag and host', { tag: common, host }],
  ['feed and tag', { following: true, tag: common }],
  ['feed and likes', { following: true, ...likes }],
]
const orientations: Part[] = [
  ['', {}],
  ['common orientation', { orientation: 'sfw' }],
  ['rare orientation', { orientation: 'trans' }],
]
const ranges: Part[] = [
  ['', {}],
  ['long', { min_duration: 7000 }],
  ['of unusual duration', { min_duration: 7200, max_duration: 7201 }],
  ['old', { saved_before: new Date(Date.now() - 1000 * 86_400_000).toISOString().slice(0, 10) }],
  ['long and old', { min_duration: 7000, saved_before: '2025-01-01' }],
]
const orders: Part[] = [...listingOrders, 'random' as const].map((sort) => [
  sort,
  sort === 'random' ? { sort, seed: 1_234_567 } : { sort },
])
/** The viewers: a visitor, one who follows 500, and one who follows 10,000. */
const viewers = [null, roles.follows500, roles.follows10000].map((id) =>
  id === null ? null : createViewer({ id, username: `person${id}` }),
)

await db`select pg_stat_reset()`
const [backend] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`
const now = values.cpu ? () => preciseCpuTime(backend.pid) : () => performance.now()
let count = 0
let slow = 0
const pick = (parts: Part[]) => ({
  name: parts
    .map(([name]) => name)
    .filter((name) => name !== '')
    .join(', '),
  query: Object.assign({}, ...parts.map(([, query]) => query)) as ListingQuery,
})
for (const scope of scopes) {
  for (const orientation of orientations) {
    for (const range of ranges) {
      for (const order of orders) {
        const { name, query } = pick([scope, orientation, range, order])
        if (!name.includes(values.only)) continue
        for (const viewer of viewers) {
          const isFeed = query.following === true
          if (isFeed && (viewer === null || !['newest', 'random'].includes(order[0]))) continue
          if (!isFeed && viewer?.id === roles.follows10000) continue
          const who = viewer === null ? 'visitor' : `follows ${viewer.id === roles.follows500 ? 500 : 10_000}`
          await measure(`${name} (${who})`, (db) => listingReply(db, query, viewer))
        }
      }
    }
  }
}
console.log(`${count} combinations, ${slow} of them slower than ${maxMedianMs} ms`)
const unused = await db<{ name: string; size: string }[]>`
  select indexrelname as name, pg_size_pretty(pg_relation_size(indexrelid)) as size from pg_stat_user_indexes
   where idx_scan = 0 and relname in ('bookmarks', 'videos', 'likes', 'follows')
   order by pg_relation_size(indexrelid) desc`
console.table([...unused])
await db.end({ timeout: 5 })
await database.stop()

/** Measures a request once, and if it is slow, twice more, so that what only a busy machine slows is not reported. */
async function measure(name: string, request: (db: Sql) => Promise<unknown>): Promise<void> {
  count += 1
  const times: number[] = []
  let error: Error | null = null
  try {
    while (times.length < (Math.min(...times) > maxMedianMs ? 3 : 1)) {
      const start = now()
      await request(db)
      times.push(now() - start)
    }
  } catch (thrown) {
    error = thrown as Error
  }
  const best = Math.round(Math.min(...times))
  const isSlow = error !== null || best > maxMedianMs
  if (isSlow) slow += 1
  if (!isSlow && !values.all) return
  const plan = error === null && isSlow ? await readPlans(db, request) : []
  const indexes = ['bookmarks', 'likes', 'videos', 'follows'].map((table) => usedIndexes(plan, table))
  console.log(
    `${name}: ${error === null ? `${best} ms, median ${Math.round(median(times))} ms` : error.message} ${indexes.join(' ')}`,
  )
}
