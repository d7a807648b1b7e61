/**
 * `node bench/explain-listings.ts [--rows 1000000] [--plans] [--blocks]`: measures each kind of listing over one
 * connection and shows its plan. `--blocks` uses a viewer with many blocks and mutes. Fails if a listing scans a large
 * table sequentially.
 */
import { parseArgs } from 'node:util'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { connect, type Sql } from '../server/core/database/database.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { createViewer } from '../server/testing/test-viewer.ts'
import { openBenchDatabase } from './bench-database.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    plans: { type: 'boolean', default: false },
    only: { type: 'string' },
    blocks: { type: 'boolean', default: false },
  },
})
const runs = 7

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  Plans?: Node[]
}

const database = await openBenchDatabase(Number(values.rows))
const db = connect(database.url, { max: 1, statementTimeout: 30_000 })
/** The first user follows 500 users and saved the most. */
const viewer = createViewer({ id: 1, username: 'person1', has_blocks_or_mutes: values.blocks })
const unlimitedDb = connect(database.url, { max: 1, statementTimeout: 0 })
const [word, medium, rare, old] = await findWordsByUse(unlimitedDb)
await unlimitedDb`delete from blocks`
await unlimitedDb`delete from mutes`
if (values.blocks) {
  await unlimitedDb`insert into blocks (blocker_id, blocked_id) select 1, id from users where id % 13 = 0 limit 300`
  await unlimitedDb`insert into mutes (user_id, muted_id) select 1, id from users where id % 17 = 0 limit 300`
  await unlimitedDb`insert into mutes (user_id, tag) select 1, name from tags order by uses_count desc offset 100 limit 100`
}
await unlimitedDb.end({ timeout: 5 })
const cases: [string, ListingQuery][] = [
  ['explore', {}],
  ['explore, common orientation', { orientation: 'straight' }],
  ['explore, rare orientation', { orientation: 'trans' }],
  ['random', { sort: 'random', seed: 1_234_567 }],
  ['random, rare orientation', { sort: 'random', seed: 1_234_567, orientation: 'bi' }],
  ['following 500', { sort: 'following' }],
  ['profile', { user: 'person2' }],
  ['own profile', { user: 'person1' }],
  ['liked', { liked_by: 'person1' }],
  ['channel', { channel: 2 }],
  ['tag, common', { tag: word }],
  ['tag, rare', { tag: rare }],
  ['search, common', { q: word }],
  ['search, medium', { q: medium }],
  ['search, rare', { q: rare }],
  ['search, two words', { q: `${word} ${medium}` }],
  ['search, misspelt', { q: `${medium}x` }],
  ['search, a site', { q: 'site:site9.example.org' }],
  ['search, only in old rows', { q: old }],
  ['search, of an orientation', { q: word, orientation: 'straight' }],
  ['search, of a rare orientation', { q: medium, orientation: 'trans' }],
  ['search, a user', { q: 'user:person2' }],
  ['search, random', { q: word, sort: 'random', seed: 1_234_567 }],
  ['search, random, medium', { q: medium, sort: 'random', seed: 1_234_567 }],
  ['search on a profile', { user: 'person2', q: medium }],
]

const report = []
for (const [name, query] of cases.filter(
  ([name]) => values.only === undefined || name.includes(values.only),
)) {
  const first = await listingReply(db, query, viewer)
  const second =
    first.next === null ? null : (Object.fromEntries(new URL(first.next, 'http://x').searchParams) as object)
  const far = !values.blocks && 400 * 25 <= first.count ? { ...query, page: 400 } : null
  const cursor = far === null ? null : await lastCursor({ ...query, page: 399 })
  const { plan, scanned } = await readPlan(query)
  report.push({
    listing: name,
    count: first.count,
    'page 1': await medianTime(query),
    'page 2': second && (await medianTime({ ...query, ...second, page: 2, page_size: 25 })),
    'page 400': far && (await medianTime(far)),
    'page 400 by cursor': cursor && (await medianTime({ ...query, page: 400, cursor })),
    'by index': plan,
  })
  if (scanned.length > 0) {
    console.error(`${name} scans all of ${scanned.join(', ')}`)
    process.exitCode = 1
  }
}
console.table(report)
await db.end({ timeout: 5 })
await database.stop()

async function lastCursor(query: ListingQuery): Promise<string | undefined> {
  const { next } = await listingReply(db, query, viewer)
  return next === null ? undefined : (new URL(next, 'http://x').searchParams.get('cursor') ?? undefined)
}

async function medianTime(query: ListingQuery): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await listingReply(db, query, viewer)
    durations.push(performance.now() - start)
  }
  return Number((durations.sort((a, b) => a - b)[runs >> 1] ?? 0).toFixed(1))
}

/** Returns the indexes that the first statement of a listing uses, and the tables it scans sequentially. */
async function readPlan(query: ListingQuery) {
  const plans: Node[] = []
  const text: string[] = []
  const explaining = Object.assign(
    (strings: TemplateStringsArray, ...parameters: never[]) => {
      const statement = db(strings, ...parameters)
      if (!strings[0]?.includes('with page as')) return statement
      const explain = async () => {
        const rows = await db`explain (analyze, format json) ${statement}`.unprepared()
        plans.push(rows[0]?.['QUERY PLAN'][0].Plan)
        if (values.plans) {
          const lines =
            await db`explain (analyze, buffers, summary) ${db(strings, ...parameters)}`.unprepared()
          text.push(...lines.map((line) => line['QUERY PLAN']))
        }
        return []
      }
      // biome-ignore lint/suspicious/noThenProperty: takes the place of the statement, which can be awaited.
      return { unprepared: explain, then: (done: never, failed: never) => explain().then(done, failed) }
    },
    { unsafe: db.unsafe },
  ) as unknown as Sql
  await listingReply(explaining, query, viewer)
  if (values.plans) console.log(text.join('\n'))
  const nodes = plans.flatMap(function flatten(node: Node): Node[] {
    return [node, ...(node.Plans ?? []).flatMap(flatten)]
  })
  const large = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Rows'] > 1000)
  return {
    plan: [
      ...new Set(nodes.map((node) => node['Index Name']).filter((name) => name?.startsWith('bookmarks_'))),
    ].join(' '),
    scanned: large.map((node) => node['Relation Name']),
  }
}

/** Returns a common, a medium and a rare word, and one that only the oldest tenth of the bookmarks contains. */
async function findWordsByUse(sql: Sql): Promise<[string, string, string, string]> {
  const used = await sql<
    { name: string }[]
  >`select name from tags where uses_count > 0 order by uses_count desc, name`
  const at = (rank: number) => used[Math.min(rank, used.length - 1)]?.name ?? ''
  const [found] = await sql`select from search_words where word = 'oldwordonly'`
  if (found === undefined) {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`set local statement_timeout = 0`
      await tx`update bookmarks set search_vector = search_vector || 'oldwordonly'::tsvector
                where is_visible and id < (select max(id) / 10 from bookmarks)`
      await tx`insert into search_words values ('oldwordonly')`
    })
    await sql`vacuum analyze bookmarks`
  }
  return [at(0), at(60), at(1500), 'oldwordonly']
}
