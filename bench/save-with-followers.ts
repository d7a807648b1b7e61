/**
 * `node bench/save-with-followers.ts [--followers 100000] [--saves 40]`: compares saving a public video as a user with
 * many followers and as one without. The two are measured alternately on their own database. `--listening 1000` sets
 * how many of the followers have the notification stream open.
 */
import { parseArgs } from 'node:util'
import { findListenersToNotify } from '../server/features/notifications/queries.ts'
import { createCallers } from '../server/testing/callers.ts'
import { bootApp } from '../server/testing/test-app.ts'
import { vaultDestination } from '../server/testing/test-bookmarks.ts'
import { startTestCluster } from '../server/testing/test-database.ts'
import type { TestUser } from '../server/testing/test-users.ts'
import { median } from './statistics.ts'

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
const [popular, unknown] = [await callers.createUser(), await callers.createUser()]
await db.begin(async (tx) => {
  await tx`set local session_replication_role = replica`
  await tx`set local statement_timeout = 0`
  await tx`insert into users (username, email)
           select 'follower' || n, 'follower' || n || '@example.org' from generate_series(1, ${followers}::int) n`
  await tx`insert into follows (follower_id, followee_id)
           select id, ${popular.id} from users where username like 'follower%'`
  await tx`update users set followers_count = ${followers} where id = ${popular.id}`
})
await db`analyze`

interface Save {
  milliseconds: number
  wal: number
  rows: number
  bookmark: number
}
let films = 0

async function measureSave(user: TestUser, channel_id: number): Promise<Save> {
  films += 1
  const video = { source_url: `https://films.example.org/watch/${films}`, title: `Film ${films}` }
  const before = await readWriteTotals()
  const start = performance.now()
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/bookmarks/',
    headers: { authorization: `Bearer ${user.access}` },
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

/** Returns the rows of the tables that saving writes to, and the position in the write-ahead log in bytes. */
async function readWriteTotals(): Promise<{ wal: number; rows: number }> {
  const [row] = await db<[{ wal: number; rows: number }]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal,
           (select count(*) from bookmarks) + (select count(*) from videos) + (select count(*) from notifications)
             + (select count(*) from notification_actors) as rows`
  return row
}

const savers = { popular, unknown }
const saves: Record<keyof typeof savers, Save[]> = { popular: [], unknown: [] }
for (let round = -5; round < Number(values.saves); round++) {
  for (const name of ['popular', 'unknown'] as const) {
    const save = await measureSave(savers[name], (await vaultDestination(site, savers[name])).channel_id)
    // Rounds below 0 warm up.
    if (round >= 0) saves[name].push(save)
  }
}
const report = Object.entries(saves).map(([name, saves]) => ({
  followers: name === 'popular' ? followers : 0,
  'median ms': Number(median(saves.map(({ milliseconds }) => milliseconds)).toFixed(1)),
  'WAL bytes': median(saves.map(({ wal }) => wal)),
  'rows written': median(saves.map(({ rows }) => rows)),
}))
console.table(report)
const [first, second] = report
console.log(
  `time with ${followers} followers relative to none: ${((first?.['median ms'] ?? 0) / (second?.['median ms'] ?? 1)).toFixed(2)}`,
)

const listening = await db<{ id: number }[]>`
  select follower_id as id from follows where followee_id = ${popular.id} order by random() limit ${Number(values.listening)}`
const ids = listening.map(({ id }) => id)
const durations: number[] = []
for (const { bookmark } of saves.popular.slice(0, 10)) {
  const start = performance.now()
  await findListenersToNotify(db, bookmark, ids)
  durations.push(performance.now() - start)
}
console.log(
  `finding the listeners to notify among ${ids.length}: ${median(durations).toFixed(1)} ms, one statement`,
)
await site.close()
await cluster.stop()
