/**
 * `node bench/save-with-followers.ts [--followers 100000] [--saves 40]`: what it costs to save a video publicly when so many people
 * follow, beside the same of somebody whom nobody follows; the two take turns, on a database of their own. Whoever has the
 * bell open is counted among the followers: `--listening 1000` of them hear of each save.
 */
import { parseArgs } from 'node:util'
import { findListenersToNotify } from '../server/features/notifications/queries.ts'
import { createCallers } from '../server/testing/callers.ts'
import { bootApp } from '../server/testing/test-app.ts'
import { vaultDestination } from '../server/testing/test-bookmarks.ts'
import { startTestCluster } from '../server/testing/test-database.ts'
import type { TestUser } from '../server/testing/test-users.ts'

const { values } = parseArgs({
  options: {
    followers: { type: 'string', default: '100000' },
    saves: { type: 'string', default: '40' },
    listening: { type: 'string', default: '1000' },
  },
})
const followers = Number(values.followers)
const cluster = await startTestCluster()
const site = await bootApp()
const { db } = site
const callers = createCallers(site)
const [known, unknown] = [await callers.person(), await callers.person()]
await db.begin(async (tx) => {
  await tx`set local session_replication_role = replica`
  await tx`set local statement_timeout = 0`
  await tx`insert into users (username, email)
           select 'follower' || n, 'follower' || n || '@example.org' from generate_series(1, ${followers}::int) n`
  await tx`insert into follows (follower_id, followee_id)
           select id, ${known.id} from users where username like 'follower%'`
  await tx`update users set followers_count = ${followers} where id = ${known.id}`
})
await db`analyze`

interface Save {
  milliseconds: number
  wal: number
  rows: number
  bookmark: number
}
let films = 0

async function measureSave(who: TestUser, channel_id: number): Promise<Save> {
  films += 1
  const video = { source_url: `https://films.example.org/watch/${films}`, title: `Film ${films}` }
  const before = await readWriteTotals()
  const start = performance.now()
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/bookmarks/',
    headers: { authorization: `Bearer ${who.access}` },
    payload: { video, bookmark: { channel_id } },
  })
  const milliseconds = performance.now() - start
  if (reply.statusCode !== 201) throw new Error(reply.body)
  const after = await readWriteTotals()
  return {
    milliseconds,
    wal: after.wal - before.wal,
    rows: after.rows - before.rows,
    bookmark: reply.json().id,
  }
}

/** All that was ever written down of what happens between people, and to the log of the database. */
async function readWriteTotals(): Promise<{ wal: number; rows: number }> {
  const [row] = await db<[{ wal: number; rows: number }]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal,
           (select count(*) from bookmarks) + (select count(*) from videos) + (select count(*) from notifications)
             + (select count(*) from notification_actors) as rows`
  return row
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
const savers = { known, unknown }
const created: Record<keyof typeof savers, Save[]> = { known: [], unknown: [] }
for (let turn = -5; turn < Number(values.saves); turn++) {
  for (const name of ['known', 'unknown'] as const) {
    const one = await measureSave(savers[name], (await vaultDestination(site, savers[name])).channel_id)
    // The first few warm up.
    if (turn >= 0) created[name].push(one)
  }
}
const report = Object.entries(created).map(([name, saves]) => ({
  followers: name === 'known' ? followers : 0,
  'median ms': Number(median(saves.map(({ milliseconds }) => milliseconds)).toFixed(1)),
  'WAL bytes': median(saves.map(({ wal }) => wal)),
  'rows written': median(saves.map(({ rows }) => rows)),
}))
console.table(report)
const [first, second] = report
console.log(
  `with ${followers} followers to none: ${((first?.['median ms'] ?? 0) / (second?.['median ms'] ?? 1)).toFixed(2)} of the time`,
)

const listening = await db<{ id: number }[]>`
  select follower_id as id from follows where followee_id = ${known.id} order by random() limit ${Number(values.listening)}`
const ids = listening.map(({ id }) => id)
const durations: number[] = []
for (const { bookmark } of created.known.slice(0, 10)) {
  const start = performance.now()
  await findListenersToNotify(db, bookmark, ids)
  durations.push(performance.now() - start)
}
console.log(
  `afterwards, which of ${ids.length} who listen are told: ${median(durations).toFixed(1)} ms, one statement`,
)
await site.close()
await cluster.stop()
