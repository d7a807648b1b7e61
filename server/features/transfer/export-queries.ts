/** Queries for exports and their files. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Export, ExportSource } from '@reelmark/contract/transfer.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { splitCount } from '../../core/http/paging.ts'
import { isNotTrashed } from '../../shared/visibility.ts'

/** Seconds without a heartbeat after which the process working on an export or import is considered dead. */
export const heartbeatTimeout = 60
/** How often an export or import is attempted before it fails permanently. */
export const maxAttempts = 6
/** How many finished exports of a user are stored. */
const maxFiles = 3

function exportColumns(db: Db): Fragment {
  return db`id, state, done, total, case when not with_pictures then size end as size, format,
    case when with_pictures then pictures_count end as pictures_count,
    coalesce((select c.name from collections c where c.id = collection_id),
             (select s.name from smart_collections s where s.id = smart_collection_id)) as source_name,
    created_at, finished_at, expires_at`
}

/** Creates an export, or returns null if one of the user's is already running. */
export async function startExport(
  db: Db,
  userId: number,
  { format = 'json', collection, smart_collection, pictures = false }: ExportSource,
): Promise<Export | null> {
  const [created] = await db<Export[]>`
    insert into exports (user_id, format, collection_id, smart_collection_id, with_pictures, expires_at)
    values (${userId}, ${format}, ${collection ?? null}, ${smart_collection ?? null}, ${pictures},
            now() + make_interval(secs => ${limits.exportRetentionSeconds}))
    on conflict (user_id) where state in ('waiting', 'running') do nothing
    returning ${exportColumns(db)}`
  return created ?? null
}

/** Returns whether a user owns what is to be exported. */
export async function ownsExportSource(
  db: Db,
  userId: number,
  { collection, smart_collection }: ExportSource,
): Promise<boolean> {
  const [row] = await db<[{ owns: boolean }]>`
    select (${collection ?? null}::bigint is null
            or exists (select from collections where id = ${collection ?? null} and user_id = ${userId}))
       and (${smart_collection ?? null}::bigint is null
            or exists (select from smart_collections s
                        where s.id = ${smart_collection ?? null} and s.user_id = ${userId} and ${isNotTrashed(db, 's')})) as owns`
  return row.owns
}

export async function listExports(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: Export[] }> {
  const rows = await db<(Export & { count: number })[]>`
    select total.count, e.*
      from (select count(*) from exports where user_id = ${userId} and expires_at > now()) total
      left join (select ${exportColumns(db)} from exports
                  where user_id = ${userId} and expires_at > now()
                  order by id desc limit ${size} offset ${skip}) e on true
     order by e.id desc`
  return splitCount(rows)
}

export async function getExport(db: Db, userId: number, id: number): Promise<Export | null> {
  const [found] = await db<Export[]>`
    select ${exportColumns(db)} from exports where id = ${id} and user_id = ${userId} and expires_at > now()`
  return found ?? null
}

/** What is needed to send the file of an export. */
export interface ExportFile {
  username: string
  finished_at: Date
  size: number
  format: Export['format']
  /** The collection or smart collection; null: everything. */
  source_id: number | null
  with_pictures: boolean
}

/** Returns what is needed to send the file of a finished export; null if the user has no such export. */
export async function findExportFile(db: Db, userId: number, id: number): Promise<ExportFile | null> {
  const [file] = await db<ExportFile[]>`
    select u.username, e.finished_at, e.size, e.format, e.with_pictures,
           coalesce(e.collection_id, e.smart_collection_id) as source_id
      from exports e join users u on u.id = e.user_id
     where e.id = ${id} and e.user_id = ${userId} and e.state = 'done' and e.expires_at > now()`
  return file ?? null
}

/**
 * Yields the chunks of a file, each read when it is needed.
 * @throws if the file is removed in the meantime, so that the download fails and does not look complete.
 */
export async function* readExportFile(
  db: Db,
  { id, size }: { id: number; size: number },
): AsyncGenerator<Buffer> {
  let sent = 0
  for (let number = 0; sent < size; number++) {
    const [chunk] = await db<{ data: Buffer }[]>`
      select data from export_chunks where export_id = ${id} and number = ${number}`
    if (chunk === undefined) throw new Error('the file of an export was removed while it was sent')
    sent += chunk.data.length
    yield chunk.data
  }
}

/** An export or import that a process works on. It may write only while `attempts` is unchanged. */
export interface TransferClaim {
  id: number
  user_id: number
  attempts: number
}

/** A claimed export, with what it contains. */
export interface ExportClaim extends TransferClaim {
  username: string
  format: Export['format']
  collection_id: number | null
  smart_collection_id: number | null
  with_pictures: boolean
}

/** Claims an export and restarts it from the beginning; null if another process works on it or it is finished. */
export async function claimExport(db: Db, id: number): Promise<ExportClaim | null> {
  const [claim] = await db<ExportClaim[]>`
    update exports set state = 'running', attempts = attempts + 1, done = 0, total = 0, heartbeat_at = now()
     where id = ${id} and attempts < ${maxAttempts}
       and (state = 'waiting' or (state = 'running' and heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})))
    returning id, user_id, attempts, format, collection_id, smart_collection_id, with_pictures,
      (select username from users where id = user_id) as username`
  if (claim === undefined) return null
  await db`delete from export_chunks where export_id = ${id}`
  await db`delete from export_pictures where export_id = ${id}`
  return claim
}

/** Stores the progress and renews the heartbeat. Returns false if the claim was lost. */
export async function reportProgress(
  db: Db,
  { id, attempts }: TransferClaim,
  { done, total }: { done: number; total: number },
): Promise<boolean> {
  const rows = await db`
    update exports set done = ${done}, total = ${total}, heartbeat_at = now()
     where id = ${id} and attempts = ${attempts} and state = 'running' returning id`
  return rows.length > 0
}

/** Appends a chunk to the file. Returns false if the claim was lost. */
export async function addChunk(
  db: Db,
  { id, attempts }: TransferClaim,
  { number, data }: { number: number; data: Buffer },
): Promise<boolean> {
  const rows = await db`
    with claimed as (
      update exports set heartbeat_at = now()
       where id = ${id} and attempts = ${attempts} and state = 'running' returning id
    )
    insert into export_chunks (export_id, number, data) select id, ${number}, ${data} from claimed returning number`
  return rows.length > 0
}

/** A picture of an export. */
export interface ExportedPicture {
  /** Its name in the zip file. */
  name: string
  /** The media key. */
  key: string
}

/** Stores the names of pictures whose position in the export begins with `number`. Returns false if the claim was lost. */
export async function addPictures(
  db: Db,
  { id, attempts }: TransferClaim,
  { number, pictures }: { number: number; pictures: readonly ExportedPicture[] },
): Promise<boolean> {
  const rows = await db`
    insert into export_pictures (export_id, number, pictures)
    select id, ${number}, ${JSON.stringify(pictures)}::json from exports
     where id = ${id} and attempts = ${attempts} and state = 'running' returning number`
  return rows.length > 0
}

/** Yields the pictures of an export in batches, each read when it is needed. */
export async function* readPictures(db: Db, id: number): AsyncGenerator<ExportedPicture[]> {
  let after = -1
  for (;;) {
    const [batch] = await db<{ number: number; pictures: ExportedPicture[] }[]>`
      select number, pictures from export_pictures
       where export_id = ${id} and number > ${after} order by number limit 1`
    if (batch === undefined) return
    yield batch.pictures
    after = batch.number
  }
}

/** Marks an export as done and deletes the user's oldest ones. */
export async function finishExport(
  db: Db,
  { id, user_id, attempts }: TransferClaim,
  { done, size, pictures }: { done: number; size: number; pictures: number },
): Promise<void> {
  const rows = await db`
    update exports
       set state = 'done', done = ${done}, total = ${done}, size = ${size}, pictures_count = ${pictures}, finished_at = now(),
           expires_at = now() + make_interval(secs => ${limits.exportRetentionSeconds})
     where id = ${id} and attempts = ${attempts} and state = 'running' returning id`
  if (rows.length === 0) return
  await db`
    delete from exports
     where id in (select id from exports where user_id = ${user_id} and state = 'done'
                   order by id desc offset ${maxFiles})`
}

/** Returns the ids of exports that no process works on. Those attempted too often are marked as failed. */
export async function findAbandonedExports(db: Db): Promise<number[]> {
  await db`
    update exports set state = 'failed', finished_at = now()
     where state in ('waiting', 'running') and attempts >= ${maxAttempts}
       and heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})`
  const rows = await db<{ id: number }[]>`
    select id from exports
     where state in ('waiting', 'running') and heartbeat_at < now() - make_interval(secs => ${heartbeatTimeout})
     order by heartbeat_at limit 100`
  return rows.map(({ id }) => id)
}

/** Deletes expired exports, ten per statement: deleting more large files at once would exceed the statement timeout. */
export async function removeExpiredExports(db: Db): Promise<void> {
  let removed: { count: number }
  do {
    removed = await db`
      delete from exports where id in (select id from exports where expires_at < now() limit 10)`
  } while (removed.count > 0)
}
