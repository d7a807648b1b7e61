/**
 * Fills a database with a generated site (generated-site.ts): rows are copied with derived columns and counters
 * (generated-rows.ts), without maintaining indexes and without triggers; then indexes are built on two connections.
 */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { rowEncoder } from './binary-rows.ts'
import { addNotifications, drawActivity } from './generated-activity.ts'
import { type GeneratedTable, generateTables } from './generated-rows.ts'
import { type GeneratedSite, generateSite, type SiteSize } from './generated-site.ts'

type Report = (step: string) => void

/**
 * Settings for building the indexes of words: a small tree of words, which is sorted and merged, is faster than one of
 * gigabytes. The second process uses a core that nothing else needs. The other indexes are sorted in parts that fit into the
 * caches of the processor, which takes a fifth less time than with 256 MB.
 */
const large = `set maintenance_work_mem = '128MB'; set max_parallel_maintenance_workers = 1`
const others = `set maintenance_work_mem = '32MB'; set max_parallel_maintenance_workers = 0`

/**
 * Fills an empty, migrated database; a million bookmarks take some minutes. The user in `url` must be a superuser. `countLists`
 * stores what jobs count. It runs while the last indexes are created.
 * @throws Error if a derived column differs from the one that the database would compute
 */
export async function fillDatabase(
  url: string,
  size: SiteSize,
  report: Report,
  countLists: () => Promise<void>,
): Promise<void> {
  const run = (statements: string[], settings: string) =>
    withClient(url, async (client) => {
      await client.query(settings)
      for (const statement of statements) {
        report(statement)
        await client.query(statement)
      }
    })
  const { vault, search } = await withClient(url, (client) => copySite(client, size, report))
  await run(['analyze'], others)
  const smallIndexes = await withClient(url, rebuilds)
  const buildOthers = async () => {
    await run(smallIndexes, others)
    const count = async () => {
      await withClient(url, async (client) => {
        await setSequences(client)
        report('notifications')
        await addNotifications(client)
        await checkSample(client)
      })
      report('counts and anchors of long lists')
      await countLists()
      report('counted')
    }
    await Promise.all([run(search, large), count()])
  }
  // The index of words of own bookmarks takes about as long as all others.
  await Promise.all([run(vault, large).then(() => report('own words indexed')), buildOthers()])
  const [bookmarks = '', ...rest] = await withClient(url, vacuums)
  await Promise.all([run([bookmarks], others), run(rest, others)])
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

/** Returns the statements that create the indexes of words. */
async function copySite(
  client: Client,
  size: SiteSize,
  report: Report,
): Promise<{ vault: string[]; search: string[] }> {
  const { rows: keys } = await client.query("select value from server_keys where name = 'video-id'")
  report('random choices')
  const site = await drawSite(size, keys[0].value)
  const tables = generateTables(site, drawActivity(site))
  const names = tables.map(({ name }) => name)
  await client.query('begin')
  // The audit log can be truncated only without its triggers.
  await client.query('set local session_replication_role = replica')
  // Rows copied as frozen, and without WAL, must be of a table that is truncated in the same transaction.
  await client.query(`truncate ${names.join(', ')} cascade`)
  const dropped = {
    vault: await dropIndexes(client, ['bookmarks_vault', 'bookmarks_vault_sample']),
    search: await dropIndexes(client, ['bookmarks_search', 'bookmarks_search_sample']),
  }
  await client.query('set local allow_system_table_mods = on')
  await suspendIndexes(client, names)
  await suspendTriggers(client, names)
  for (const table of tables) {
    report(`copy ${table.name}`)
    await copyRows(client, table)
  }
  await restoreTriggers(client, names)
  await client.query('commit')
  return dropped
}

/** Draws a site. The ids of its videos are computed meanwhile, with the database's key. */
async function drawSite(size: SiteSize, videoIdKey: Buffer): Promise<GeneratedSite> {
  const ids = new Float64Array(new SharedArrayBuffer(size.videos * Float64Array.BYTES_PER_ELEMENT))
  const thread = new Worker(new URL('video-ids-thread.ts', import.meta.url), {
    workerData: { ids, key: videoIdKey },
  })
  const computed = once(thread, 'exit')
  const site = generateSite(size, ids)
  await computed
  return site
}

/** Drops indexes, because queries could not be planned while they are rebuilt, and returns the statements that create them. */
async function dropIndexes(client: Client, names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    'select pg_get_indexdef(name::regclass) as definition from unnest($1::text[]) name',
    [names],
  )
  await client.query(`drop index ${names.join(', ')}`)
  return rows.map(({ definition }) => definition)
}

/** Partial indexes that contain few generated rows or none: maintaining them is faster than a scan of the table. */
const maintainedIndexes = [
  'bookmarks_held',
  'bookmarks_own_thumbnail',
  'bookmarks_pending_thumbnail',
  'bookmarks_search_small_sample',
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
  await client.query(
    `update pg_index set indisready = false, indisvalid = false
      where indrelid = any ($1::regclass[]) and indexrelid <> all ($2::regclass[])`,
    [tables, maintainedIndexes],
  )
}

/**
 * Has some tables seem to have no triggers. If a table has one for each row, also a disabled one, then rows are inserted one by
 * one, and no page is marked as visible to all, so that index-only scans would read the table.
 */
async function suspendTriggers(client: Client, tables: string[]): Promise<void> {
  await client.query('update pg_class set relhastriggers = false where oid = any ($1::regclass[])', [tables])
}

async function restoreTriggers(client: Client, tables: string[]): Promise<void> {
  await client.query(
    `update pg_class set relhastriggers = exists (select from pg_trigger where tgrelid = pg_class.oid)
      where oid = any ($1::regclass[])`,
    [tables],
  )
}

/** Returns the statements that build the suspended indexes. */
async function rebuilds(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where not indisvalid
      order by pg_relation_size(indrelid) desc, indrelid`,
  )
  return rows.map(({ name }) => `reindex index ${name}`)
}

/** Sets the next ids. The indexes of ids must be built. */
async function setSequences(client: Client): Promise<void> {
  for (const name of ['users', 'collections', 'channels', 'bookmarks', 'comments']) {
    await client.query(`select setval(pg_get_serial_sequence('${name}', 'id'), max(id)) from ${name}`)
  }
}

/** Returns the statements that vacuum and analyze all tables. Their indexes are new. */
async function vacuums(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_relation_size(oid) desc`,
  )
  return rows.map(({ name }) => `vacuum (analyze, index_cleanup off) ${name}`)
}

/** Copies the rows of a table, which are encoded while the database reads them. */
async function copyRows(client: Client, { name, columns, rows }: GeneratedTable): Promise<void> {
  const encode = await rowEncoder(client, name, columns.split(/,\s+/))
  const stream = client.query(copyFrom(`copy ${name} (${columns}) from stdin with (format binary, freeze)`))
  await pipeline(Readable.from(encode(rows), { objectMode: true, highWaterMark: 4 }), stream)
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
