/** Queries for uploads in chunks. Each user has at most one row, so that unfinished uploads take the space of one file. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Upload } from '@reelmark/contract/uploads.ts'
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { splitCount } from '../../../core/http/paging.ts'

/** Seconds without a heartbeat after which an upload is not active: its connection was lost, or its process died. */
const heartbeatTimeout = 60
/** How often a request that reads a file renews the heartbeat. */
const heartbeatMs = 10_000

function uploadColumns(db: Db): Fragment {
  return db`u.id, u.name, u.size, u.received as offset,
    u.heartbeat_at + make_interval(hours => ${limits.uploadRetentionHours}) as expires_at`
}

function isActive(db: Db): Fragment {
  return db`u.heartbeat_at > now() - make_interval(secs => ${heartbeatTimeout})`
}

export interface FileDescription {
  name: string
  size: number
  modified_at: string | null
}

/**
 * Creates a user's upload, or returns that of the same file, which continues. Replaces the upload of another file unless that
 * is active; then returns null.
 */
export async function startUpload(
  tx: Db,
  userId: number,
  { name, size, modified_at }: FileDescription,
  isReading = false,
): Promise<Upload | null> {
  // One at a time: two requests could otherwise delete each other's upload.
  await tx`select from users where id = ${userId} for no key update`
  const [same] = await tx<Upload[]>`
    update uploads u set heartbeat_at = now()
     where u.user_id = ${userId} and not ${isReading} and not u.is_reading
       and u.name = ${name} and u.size = ${size} and u.modified_at = ${modified_at}::timestamptz
    returning ${uploadColumns(tx)}`
  if (same !== undefined) return same
  await deleteUploads(tx, tx`u.user_id = ${userId} and not ${isActive(tx)}`)
  const [created] = await tx<Upload[]>`
    insert into uploads as u (user_id, name, size, modified_at, is_reading)
    values (${userId}, ${name}, ${size}, ${modified_at}::timestamptz, ${isReading})
    on conflict (user_id) do nothing
    returning ${uploadColumns(tx)}`
  return created ?? null
}

/** Lists the upload of a user that can continue. */
export async function listUploads(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: Upload[] }> {
  const listed = db`uploads u where u.user_id = ${userId} and not u.is_reading`
  const rows = await db<(Upload & { count: number })[]>`
    select total.count, found.*
      from (select count(*) from ${listed}) total
      left join (select ${uploadColumns(db)} from ${listed} order by u.id limit ${size} offset ${skip}) found on true`
  return splitCount(rows)
}

/** Appends bytes to a user's upload. */
export async function addChunk(
  db: Db,
  userId: number,
  id: number,
  { offset, data }: { offset: number; data: Buffer },
): Promise<Upload | 'not-found' | 'wrong-offset' | 'too-large'> {
  const [stored] = await db<Upload[]>`
    with u as (
      update uploads set received = received + ${data.length}::int, heartbeat_at = now()
       where id = ${id} and user_id = ${userId} and not is_reading and received = ${offset}
         and received + ${data.length}::int <= size
      returning *
    ), chunk as (
      insert into upload_chunks (upload_id, number, data) select id, ${offset}, ${data} from u
    )
    select ${uploadColumns(db)} from u`
  if (stored !== undefined) return stored
  const [found] = await db<{ is_at_offset: boolean }[]>`
    select received = ${offset} as is_at_offset from uploads
     where id = ${id} and user_id = ${userId} and not is_reading`
  if (found === undefined) return 'not-found'
  return found.is_at_offset ? 'too-large' : 'wrong-offset'
}

/** Claims a complete upload to read it. A claim ends a minute after its process died. */
export async function claimUpload(
  db: Db,
  userId: number,
  id: number,
): Promise<'claimed' | 'not-found' | 'upload-incomplete'> {
  const [found] = await db<{ is_complete: boolean; is_claimed: boolean }[]>`
    with claimed as (
      update uploads u set is_reading = true, heartbeat_at = now()
       where u.id = ${id} and u.user_id = ${userId} and u.received = u.size
         and not (u.is_reading and ${isActive(db)})
      returning u.id
    )
    select u.received = u.size as is_complete, exists (select from claimed) as is_claimed
      from uploads u where u.id = ${id} and u.user_id = ${userId}`
  if (found?.is_claimed) return 'claimed'
  return found === undefined || found.is_complete ? 'not-found' : 'upload-incomplete'
}

/**
 * Runs work that reads the file of an upload, with a heartbeat, and deletes the upload in the end.
 * @param isStored whether the file is stored, so that it can be read again: it is deleted only if it was read or is refused
 */
export async function readUpload<T>(
  db: Sql,
  id: number,
  isStored: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const heartbeat = setInterval(() => {
    // A failure only lets another upload begin earlier.
    db`update uploads set heartbeat_at = now() where id = ${id}`.catch(() => undefined)
  }, heartbeatMs)
  let isRetained = false
  try {
    return await work()
  } catch (error) {
    isRetained = isStored && !isRefusal(error)
    throw isDiskFull(error) ? new ApiError('unavailable') : error
  } finally {
    clearInterval(heartbeat)
    if (isRetained) await db`update uploads set is_reading = false where id = ${id}`
    else await deleteUploads(db, db`u.id = ${id}`)
  }
}

/** Returns whether an error is due to the file, so that reading it again would fail, too. */
function isRefusal(error: unknown): boolean {
  if (error instanceof InvalidFields) return true
  return error instanceof ApiError && ['malformed-body', 'too-large'].includes(error.code)
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as { code?: string } | null)?.code ?? '')
}

/** Yields the bytes of an upload, chunk by chunk. */
export async function* readChunks(db: Db, id: number): AsyncGenerator<Buffer> {
  let position = 0
  for (;;) {
    const [chunk] = await db<{ data: Buffer }[]>`
      select data from upload_chunks where upload_id = ${id} and number = ${position}`
    if (chunk === undefined) return
    yield chunk.data
    position += chunk.data.length
  }
}

/** Deletes a user's upload. Returns whether there was one that is not being read. */
export async function deleteUpload(db: Db, userId: number, id: number): Promise<boolean> {
  return (await deleteUploads(db, db`u.id = ${id} and u.user_id = ${userId} and not u.is_reading`)) > 0
}

/** Deletes uploads `u`, 50 MB per statement, because an upload can have a gigabyte. Returns how many there were. */
async function deleteUploads(db: Db, condition: Fragment): Promise<number> {
  let deleted: { count: number }
  do {
    deleted = await db`
      delete from upload_chunks where (upload_id, number) in (
        select c.upload_id, c.number from upload_chunks c join uploads u on u.id = c.upload_id where ${condition} limit 25)`
  } while (deleted.count > 0)
  return (await db`delete from uploads u where ${condition}`).count
}

/** Deletes uploads that did not continue. */
export async function removeOldUploads(db: Db): Promise<void> {
  const isOld = db`u.heartbeat_at < now() - make_interval(hours => ${limits.uploadRetentionHours})`
  // None of them can continue while its chunks are deleted.
  await db`update uploads u set is_reading = true where ${isOld}`
  await deleteUploads(db, db`${isOld} and u.is_reading`)
}
