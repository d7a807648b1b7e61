/**
 * Deletes stored pictures that no row uses. Triggers queue the keys in the transaction that stops using them; jobs delete
 * the pictures afterwards (docs/decisions/0028-stored-pictures.md).
 */
import { isBackupRunning } from '../database/backup-lock.ts'
import type { Sql } from '../database/database.ts'
import type { JobQueue } from '../database/jobs.ts'
import type { Deps } from '../deps.ts'
import type { MediaStore } from './store.ts'

type Dependencies = Pick<Deps, 'db' | 'media'>

/** How many queued keys one statement reads. */
const batchSize = 500
/** How many pictures are deleted at a time. */
const concurrency = 10
/** A picture is stored shortly before the row that uses it, so only older ones can be orphans. */
const gracePeriodMs = 24 * 60 * 60 * 1000
/** In a new database no orphans are deleted for this long: a backup may be about to be restored into it. */
const newDatabaseDays = 7

/** Returns the jobs that delete pictures. */
export function pictureQueues(deps: Pick<Deps, 'db' | 'media' | 'log'>): JobQueue<object>[] {
  return [
    {
      name: 'delete-unused-pictures',
      cron: '* * * * *',
      retries: 0,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await deleteQueuedPictures(deps)
      },
    },
    {
      name: 'delete-orphaned-pictures',
      cron: '47 3 * * *',
      retries: 0,
      seconds: 4 * 3600,
      concurrency: 1,
      work: async () => {
        const count = await deleteOrphanedPictures(deps)
        if (count > 0) deps.log.info({ count }, 'deleted pictures that no row used')
      },
    },
  ]
}

/**
 * Deletes queued pictures, and returns how many. Does nothing while a backup copies the pictures, unless `keys` names
 * those to delete now. A key is never used again, so a picture that is unused stays so.
 * @throws the first failure of the store; those keys stay queued
 */
export async function deleteQueuedPictures({ db, media }: Dependencies, keys?: string[]): Promise<number> {
  let count = 0
  for (;;) {
    if (keys === undefined && (await isBackupRunning(db))) return count
    const rows = await db<{ media_key: string }[]>`
      select media_key from picture_deletions
       where not is_picture_used(media_key) ${keys === undefined ? db`` : db`and media_key = any (${keys}::text[])`}
       limit ${batchSize}`
    if (rows.length === 0) return count
    const { deleted, failures } = await deleteAll(
      media,
      rows.map(({ media_key }) => media_key),
    )
    await db`delete from picture_deletions where media_key = any (${deleted}::text[])`
    count += deleted.length
    if (failures.length > 0) throw failures[0]
  }
}

/**
 * Deletes what the store contains and no row uses, for example because a process died between storing a picture and
 * writing its row. Returns how many pictures were deleted; none while the database is new or a backup is running.
 */
export async function deleteOrphanedPictures(deps: Dependencies, storedBefore?: Date): Promise<number> {
  if (await isNewDatabase(deps.db)) return 0
  let count = 0
  for await (const orphans of findOrphanedPictures(deps, storedBefore)) {
    if (await isBackupRunning(deps.db)) return count
    const { deleted, failures } = await deleteAll(deps.media, orphans)
    count += deleted.length
    if (failures.length > 0) throw failures[0]
  }
  return count
}

/** Returns, in batches, the keys of what the store contains and no row uses. Compares one batch of the store's list at a time. */
export async function* findOrphanedPictures(
  { db, media }: Dependencies,
  storedBefore: Date = new Date(Date.now() - gracePeriodMs),
): AsyncIterable<string[]> {
  for await (const batch of media.list()) {
    const old = batch.filter(({ storedAt }) => storedAt < storedBefore).map(({ key }) => key)
    for (let start = 0; start < old.length; start += batchSize) {
      const keys = old.slice(start, start + batchSize)
      const used = new Set(await findUsedKeys(db, keys))
      yield keys.filter((key) => !used.has(key))
    }
  }
}

async function isNewDatabase(db: Sql): Promise<boolean> {
  const [{ is_new }] = await db<[{ is_new: boolean }]>`
    select min(run_at) > now() - make_interval(days => ${newDatabaseDays}) as is_new from schema_migrations`
  return is_new
}

/** Returns which of the keys a row uses. */
export async function findUsedKeys(db: Sql, keys: string[]): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from unnest(${keys}::text[]) key where is_picture_used(key)`
  return rows.map(({ key }) => key)
}

/** Deletes pictures, also after one that cannot be deleted. */
async function deleteAll(
  media: MediaStore,
  keys: string[],
): Promise<{ deleted: string[]; failures: unknown[] }> {
  const deleted: string[] = []
  const failures: unknown[] = []
  const remove = async (key: string) => {
    try {
      await media.delete(key)
      deleted.push(key)
    } catch (error) {
      failures.push(error)
    }
  }
  for (let start = 0; start < keys.length; start += concurrency) {
    await Promise.all(keys.slice(start, start + concurrency).map(remove))
  }
  return { deleted, failures }
}
