/**
 * `node bench/vault-search.ts [--rows 1000000] [--own 100000] [--only TEXT] [--cpu] [--slowest 10]`: measures searches and filters of a user
 * with many bookmarks in a table of many users, over one connection, and then 4,000 random ones (`--only random`), each once. Its rows are
 * generated with SQL. `--cpu` measures the CPU time of the database, for a machine that other processes use too.
 */
import { parseArgs } from 'node:util'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { connect, type Sql } from '../server/core/database/database.ts'
import { migrate } from '../server/core/database/migrate.ts'
import { recountLongLists } from '../server/features/listing/long-lists.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { createViewer } from '../server/testing/test-viewer.ts'
import { startBenchCluster } from './bench-database.ts'
import { preciseCpuTime } from './cpu-time.ts'
import { seededRandom } from './generated-site.ts'
import { timeRequest } from './query-plans.ts'
import { quantile } from './statistics.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    own: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    cpu: { type: 'boolean', default: false },
    /** How many of the slowest random searches are printed. */
    slowest: { type: 'string', default: '10' },
  },
})
const [rows, own] = [Number(values.rows), Number(values.own)]

const cluster = await startBenchCluster('bench-vault')
const name = `vault_${rows}_${own}`
const admin = connect(cluster.ownerUrl, { max: 1, statementTimeout: 0 })
const url = new URL(cluster.ownerUrl)
url.pathname = `/${name}`
const [found] = await admin`
  select from pg_database where datname = ${name} and shobj_description(oid, 'pg_database') = 'complete'`
if (found === undefined) {
  // Also what an interrupted run left.
  await admin`drop database if exists ${admin(name)}`
  await admin`create database ${admin(name)}`
  await migrate(url.href)
  const filling = connect(url.href, { max: 1, statementTimeout: 0 })
  await fill(filling)
  await filling.end({ timeout: 5 })
  await admin`comment on database ${admin(name)} is 'complete'`
}
await admin.end({ timeout: 5 })

/** User 1 owns `own` of the bookmarks, spread evenly over all of them; the others belong to 20,000 users. */
async function fill(db: Sql): Promise<void> {
  const start = performance.now()
  const report = (step: string) => console.log(`${Math.round((performance.now() - start) / 1000)} s: ${step}`)
  /** A number from 0 to 1,048,575 that depends on a column only, so that no two properties depend on each other. */
  const random = (column: 'n' | 'id', seed: number) =>
    db.unsafe(`(hashint8extended(${column}, ${seed}) & 1048575)`)
  await db`set synchronous_commit = off`
  await db`set maintenance_work_mem = '512MB'`
  await db`insert into users (username, email) select 'user' || n, n || '@example.org' from generate_series(1, 20001) n`
  // User 1 has ten collections, of which one is private, and the others one each.
  await db`insert into collections (user_id, name, access)
    select 1, 'c' || n, case n when 10 then 'private' else 'public' end from generate_series(1, 10) n`
  await db`insert into collections (user_id, name) select n, 'c' from generate_series(2, 20001) n`
  report('videos')
  await db`
    insert into videos (id, canonical_url, source_url, host, duration, embed_url, thumbnail_key, thumbnail_large_key)
    select (hashint8extended(n, 7) & 4503599627370495), 'https://host' || ${random('n', 11)} % 200 || '.example.org/' || n,
           'https://x.example.org', 'host' || ${random('n', 11)} % 200 || '.example.org',
           case when ${random('n', 12)} % 10 > 0 then 10 + (${random('n', 13)} % 7000)::int end,
           case when ${random('n', 14)} % 50 > 0 then 'https://player.example.org/' || n end,
           case when ${random('n', 15)} % 33 > 0 then 'k' || n end, case when ${random('n', 15)} % 33 > 0 then 'k' || n end
      from generate_series(1, ${rows}::bigint) n on conflict do nothing`
  report('bookmarks')
  const indexes = await db<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'bookmarks' and indexname not in ('bookmarks_pkey')`
  await db`drop index ${db.unsafe(indexes.map((index) => index.name).join(', '))}`
  await db`alter table bookmarks disable trigger all`
  // Words by rank: the k-th word is about k times rarer than the first one.
  await db`
    insert into bookmarks (user_id, video_id, collection_id, title, tags, access, orientation, effective_orientation,
      effective_duration, is_public, is_visible, is_listed, lead_created_at, lead_orientation, random_key, created_at,
      private_note, lacks_picture, lacks_player, search_vector)
    select owner, v.id, collection, words, tags, case when is_private then 'private' else 'public' end, orientation, orientation,
           v.duration, is_public, is_public, is_public, case when is_public then at end, case when is_public then orientation end,
           video_random_key(v.id), at,
           case when ${random('n', 16)} % 20 = 0 then 'remember ' || case when ${random('n', 17)} % 500 = 0 then 'rarely' else 'often' end else '' end,
           v.thumbnail_key is null, v.embed_url is null,
           setweight(to_tsvector('reelmark', words), 'A') || setweight(to_tsvector('reelmark', array_to_string(tags, ' ')), 'B')
             || array_to_tsvector(array['user:user' || owner, 'site:' || v.host, 'site:example.org'] || array(select 'tag:' || t from unnest(tags) t))
      from (select row_number() over () as n, id, host, duration, thumbnail_key, embed_url from videos) v,
           lateral (select case when n % (${rows}::int / ${own}::int) = 0 then 1 else 2 + n % 20000 end as owner,
                           ${random('n', 18)} % 97 < 10 as is_private,
                           now() - (${rows}::int - n) * interval '94 seconds' as at) o,
           lateral (select case when owner = 1 then 1 + (${random('n', 19)} % 10)::int else owner + 9 end as collection) c,
           lateral (select not (is_private or collection = 10) as is_public) p,
           lateral (select string_agg('word' || floor(power(20000::float8, (hashint8extended(n * 8 + k, 1) & 1048575) / 1048576.0::float8)), ' ') as words
                      from generate_series(1, 8) k) w,
           lateral (select case when ${random('n', 20)} % 25 = 0 then '{}'::text[]
                           else array(select distinct 'tag' || floor(power(2000::float8, (hashint8extended(n * 4 + k, 2) & 1048575) / 1048576.0::float8))
                                        from generate_series(1, 3) k) end as tags,
                           (array['sfw','straight','gay','bi','trans'])[1 + floor(power((hashint8extended(n, 3) & 1048575) / 1048576.0, 3) * 5)] as orientation) t`
  await db`update bookmarks set lead_bookmark_id = id where is_visible`
  // Half of the videos have one save, and each number k is reached by one of k videos.
  await db`
    update videos v set lead_bookmark_id = b.id,
                        saves_count = least(1048576 / (1 + (hashint8extended(v.id, 4) & 1048575)), 20000)
      from bookmarks b where b.video_id = v.id and b.is_visible`
  // One of 500 videos is gone.
  await db`
    update videos set missing_since = now(), missing_found_at = now(), missing_since_bookmark_id = lead_bookmark_id,
                      missing_confirmed_bookmark_id = lead_bookmark_id
     where id % 500 = 0 and lead_bookmark_id is not null`
  await db`alter table bookmarks enable trigger all`
  for (const { name, definition } of indexes) {
    report(name)
    await db.unsafe(definition)
  }
  await db`insert into watched_videos (user_id, video_id, watched_at)
    select 1, video_id, created_at + interval '1 day' from bookmarks where user_id = 1 and ${random('id', 21)} % 5 = 0`
  report('vacuum')
  await db`vacuum (analyze)`
  await recountLongLists(db)
  report('done')
}

const db = connect(url.href, { max: 1, statementTimeout: 60_000 })
const viewer = createViewer({ id: 1, username: 'user1' })
const filters: Record<string, ListingQuery> = {
  'no filter': {},
  'word, common (9 % of all)': { q: 'word2' },
  'word, medium': { q: 'word50' },
  'word, rare': { q: 'word15000' },
  'word, none': { q: 'qqqqqqq', literal: true },
  'word, misspelt or none': { q: 'qqqqqqq' },
  'two common words': { q: 'word2 word3' },
  'common and rare word': { q: 'word2 word9000' },
  phrase: { q: '"word2 word3"' },
  'excluded word': { q: '-word2' },
  'note, often': { q: 'note:often' },
  'note, rarely': { q: 'note:rarely' },
  'word of notes': { q: 'remember' },
  'tag, common': { tag: 'tag1' },
  'tag, rare': { tag: 'tag1900' },
  host: { host: 'host7.example.org' },
  'host, all': { host: 'example.org' },
  'duration, short': { max_duration: 60 },
  'duration, long': { min_duration: 6000 },
  'duration, most': { min_duration: 60 },
  'date, last month': { saved_after: dayAgo(30) },
  'date, two years ago': { saved_before: dayAgo(700) },
  'date, one old month': { saved_after: dayAgo(730), saved_before: dayAgo(700) },
  'access private': { access: 'private' },
  'access public': { access: 'public' },
  'orientation, common': { orientation: 'sfw' },
  'orientation, rare': { orientation: 'trans' },
  collection: { collection: 3 },
  untagged: { untagged: true },
  watched: { watched: true },
  'not watched': { watched: false },
  'no picture': { no_picture: true },
  'no player': { no_player: true },
  'is:gone': { q: 'is:gone' },
  'common word, gone': { q: 'word2 is:gone' },
}
const combinations: Record<string, ListingQuery> = {
  'common word, untagged': { q: 'word2', untagged: true },
  'common word, collection': { q: 'word2', collection: 3 },
  'common word, not watched': { q: 'word2', watched: false },
  'common word, private, long': { q: 'word2', access: 'private', min_duration: 3600 },
  'common word, one old month': { q: 'word2', saved_after: dayAgo(730), saved_before: dayAgo(700) },
  'untagged, no picture, no player': { untagged: true, no_picture: true, no_player: true },
  'untagged, private': { untagged: true, access: 'private' },
  'host, long, not watched': { host: 'host7.example.org', min_duration: 3600, watched: false },
  'rare word, watched, private': { q: 'word15000', watched: true, access: 'private' },
}
const orders: Record<string, ListingQuery> = {}
for (const sort of ['oldest', 'title', 'longest', 'shortest', 'most_saved', 'last_watched'] as const) {
  orders[`${sort}, no filter`] = { sort }
  orders[`${sort}, untagged`] = { sort, untagged: true }
  orders[`${sort}, common word`] = { sort, q: 'word2' }
  orders[`${sort}, medium word`] = { sort, q: 'word50' }
  orders[`${sort}, rare word`] = { sort, q: 'word15000' }
}

const [backend] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`
const now = values.cpu ? () => preciseCpuTime(backend.pid) : () => performance.now()
const all: number[] = []
for (const [filter, query] of Object.entries({ ...filters, ...combinations, ...orders })) {
  if (!filter.includes(values.only)) continue
  const full = { user: 'user1', ...query }
  const { count, count_is_estimate } = await listingReply(db, full, viewer)
  const { durations, best, median, p99 } = await timeRequest(() => listingReply(db, full, viewer), now)
  // As many of each kind: fast ones are measured more often. They are sorted, so some are chosen evenly.
  for (let n = 0; n < 20; n++) all.push(quantile(durations, (n + 0.5) / 20))
  const row = { filter, count: `${count_is_estimate ? '~' : ''}${count}`, best, median, p99 }
  console.log(Object.values(row).join(' | '))
}
if (all.length > 0) {
  all.sort((a, b) => a - b)
  console.log(
    `all of these kinds: median ${quantile(all, 0.5).toFixed(1)}, p99 ${quantile(all, 0.99).toFixed(1)}`,
  )
}
if (values.only === '' || values.only === 'random') {
  await measureRandom('to a database that just started', 1128)
  await measureRandom('afterwards', 2811)
}
await db.end({ timeout: 5 })
await cluster.stop()

/** Sends random searches, each once, as a user searches: most pages of a search are not repeated. */
async function measureRandom(when: string, seed: number): Promise<void> {
  const timings: { query: ListingQuery; duration: number }[] = []
  for (const query of randomSearches(seed)) {
    const start = now()
    await listingReply(db, { user: 'user1', ...query }, viewer)
    timings.push({ query, duration: now() - start })
  }
  timings.sort((a, b) => a.duration - b.duration)
  const durations = timings.map(({ duration }) => duration)
  const at = (share: number) => quantile(durations, share).toFixed(1)
  console.log(
    `${durations.length} random searches, ${when}: median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, slowest ${at(1)}`,
  )
  for (const { query, duration } of timings.slice(-Number(values.slowest)))
    console.log(`${duration.toFixed(1)}: ${JSON.stringify(query)}`)
}

/** Up to three words, which are more frequent the more often they are in titles, with up to two filters, in any order. */
function* randomSearches(seed: number, count = 2000): Generator<ListingQuery> {
  const random = seededRandom(seed)
  const choose = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const conditions = Object.values(filters).filter(({ q }) => q === undefined)
  for (let n = 0; n < count; n++) {
    const words = Array.from(
      { length: Math.floor(random() * 4) },
      () => `word${Math.floor(20_000 ** random())}`,
    )
    const chosen = Array.from({ length: Math.floor(random() * 3) }, () => choose(conditions))
    const isRange = (name: string) => /^(saved|min|max)_/.test(name)
    const ranges = chosen.filter((one) => Object.keys(one).some(isRange)).length
    yield {
      ...(words.length > 0 && { q: words.join(' ') }),
      // Two ranges can exclude each other.
      ...(ranges < 2 && Object.assign({}, ...chosen)),
      ...(random() < 0.4 && { sort: choose(Object.values(orders)).sort }),
    }
  }
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
