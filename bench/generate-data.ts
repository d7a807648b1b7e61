/**
 * Fills a database with a generated site (generated-site.ts): rows are copied with derived columns and counters
 * (generated-rows.ts), without maintaining indexes and without triggers; then two connections build the indexes.
 */
import os from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { addNotifications, drawActivity } from './generated-activity.ts'
import { type GeneratedTable, generateTables } from './generated-rows.ts'
import { generateSite, type SiteSize } from './generated-site.ts'

type Report = (step: string) => void

/**
 * Fills an empty, migrated database; a million bookmarks take some minutes. The user in `url` must be a superuser.
 * @throws Error if a derived column differs from the one that the database would compute
 */
export async function fillDatabase(url: string, size: SiteSize, report: Report): Promise<void> {
  await withClient(url, async (client) => {
    await copySite(client, size, report)
    await runOnTwoConnections(url, await indexBuilds(client), report)
    report('notifications')
    await Promise.all([addNotifications(client), withClient(url, checkSample)])
    report('vacuum')
    await runOnTwoConnections(url, await vacuums(client), () => {})
  })
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, statement_timeout: 0 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs independent statements on two connections. Each starts the next one in the given order when it has finished one. */
async function runOnTwoConnections(url: string, statements: string[], report: Report): Promise<void> {
  const remaining = [...statements]
  const run = async (client: Client) => {
    // The less often the indexes of words are written, the better: a quarter of the machine's memory for both.
    const megabytes = Math.floor(os.totalmem() / 2 ** 23)
    await client.query(
      `set maintenance_work_mem = '${megabytes}MB'; set max_parallel_maintenance_workers = 0`,
    )
    for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
      report(next)
      await client.query(next)
    }
  }
  await Promise.all([withClient(url, run), withClient(url, run)])
}

async function copySite(client: Client, size: SiteSize, report: Report): Promise<void> {
  const { rows: keys } = await client.query("select value from server_keys where name = 'video-id'")
  report('random choices')
  const site = generateSite(size, keys[0].value)
  const tables = generateTables(site, drawActivity(site))
  const names = tables.map(({ name }) => name)
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  // Rows copied as frozen, and without WAL, must be of a table that is truncated in the same transaction.
  await client.query(`truncate ${names.join(', ')} cascade`)
  await suspendIndexes(client, names)
  for (const table of tables) {
    report(`copy ${table.name}`)
    await copyRows(client, table)
  }
  for (const name of ['users', 'collections', 'channels', 'bookmarks', 'comments']) {
    await client.query(`select setval(pg_get_serial_sequence('${name}', 'id'), max(id)) from ${name}`)
  }
  await client.query('commit')
}

/** Partial indexes that contain no generated row: maintaining them is faster than a scan of the table. */
const emptyIndexes = [
  'bookmarks_held',
  'bookmarks_own_thumbnail',
  'bookmarks_pending_thumbnail',
  'bookmarks_thumbnail',
  'bookmarks_thumbnail_large',
  'bookmarks_thumbnail_retry',
  'bookmarks_trash',
  'bookmarks_trash_of_user',
  'bookmarks_untagged_of_user',
  'videos_missing',
  'videos_missing_by_time',
  'videos_pending_thumbnail',
  'videos_thumbnail_retry',
]

/** Has inserts ignore most indexes of some tables, also those of keys. They must be rebuilt before anything reads them. */
async function suspendIndexes(client: Client, tables: string[]): Promise<void> {
  await client.query('set local allow_system_table_mods = on')
  await client.query(
    `update pg_index set indisready = false, indisvalid = false
      where indrelid = any ($1::regclass[]) and indexrelid <> all ($2::regclass[])`,
    [tables, emptyIndexes],
  )
}

/** Returns the statements that build the suspended indexes, beginning with those that take longest. */
async function indexBuilds(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name
       from pg_index i join pg_class c on c.oid = indexrelid join pg_am a on a.oid = c.relam
      where not indisvalid
      order by array_position(array['bookmarks_vault', 'bookmarks_search']::name[], c.relname),
               (amname = 'gin') desc, indexprs is null, pg_relation_size(indrelid) desc, indpred is not null`,
  )
  return rows.map(({ name }) => `reindex index ${name}`)
}

/** Returns the statements that vacuum and analyze all tables. Their indexes are new. */
async function vacuums(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_relation_size(oid) desc`,
  )
  return rows.map(({ name }) => `vacuum (analyze, index_cleanup off) ${name}`)
}

/** Copies rows in chunks of about 256 KB. No value contains a character that COPY would escape. */
async function copyRows(client: Client, { name, columns, rows }: GeneratedTable): Promise<void> {
  function* chunks() {
    let chunk = ''
    for (const row of rows) {
      chunk += `${row.map((value) => value ?? '\\N').join('\t')}\n`
      if (chunk.length < 262_144) continue
      yield Buffer.from(chunk, 'latin1')
      chunk = ''
    }
    if (chunk !== '') yield Buffer.from(chunk, 'latin1')
  }
  const stream = client.query(copyFrom(`copy ${name} (${columns}) from stdin with (freeze)`))
  await pipeline(Readable.from(chunks(), { objectMode: true, highWaterMark: 4 }), stream)
}

/** Compares the columns that were computed here with those of the database, in a sample of the rows. */
async function checkSample(client: Client): Promise<void> {
  const { rows } = await client.query(`
    select b.id
      from bookmarks b join videos v on v.id = b.video_id join users u on u.id = b.user_id
      left join bookmarks lead on lead.id = v.lead_bookmark_id
     where b.id % (select greatest(max(id) / 1000, 1) from bookmarks) = 0
       and (b.search_vector, b.random_key, v.id, b.is_visible, b.is_listed, b.lead_bookmark_id, b.lead_created_at,
            b.effective_duration, b.lead_duration, b.lacks_picture, b.lacks_player)
           is distinct from
           (bookmark_search_vector(b.title, b.description, b.tags, u.username, u.profile_visibility, v.host, coalesce(b.uploader_name, v.uploader_name)), video_random_key(v.id),
            derive_video_id(v.canonical_url, 0), b.is_public and v.status = 'visible',
            b.is_visible and b.id = v.lead_bookmark_id, case when b.is_visible then lead.id end,
            case when b.is_visible then lead.created_at end, v.duration,
            case when b.is_visible then v.duration end,
            b.thumbnail_key is null and v.thumbnail_key is null, b.embed_url is null and v.embed_url is null)`)
  if (rows.length > 0) throw new Error(`The generated bookmark ${rows[0].id} differs from a saved one.`)
}
