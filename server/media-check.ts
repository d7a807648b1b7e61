/** Compares the stored pictures with the rows that use them (`npm run admin -- media check`). */
import type { Fragment, Sql } from './core/database/database.ts'
import { deleteOrphanedPictures, findOrphanedPictures, findUsedKeys } from './core/media/picture-deletion.ts'
import type { MediaStore } from './core/media/store.ts'

/** How many rows one statement reads. */
const batchSize = 500
/** How many pictures are looked up at a time. */
const concurrency = 10

interface Dependencies {
  db: Sql
  media: MediaStore
}

export interface MediaCheck {
  /** Stored pictures that a row names. */
  found: number
  /** Rows that name a picture that is not stored. */
  missing: { videos: number; bookmarks: number; users: number }
  /** Stored pictures older than a day that no row names. After a repair: those that were deleted. */
  unused: number
}

/** A row and the keys of its pictures. */
interface Pictures {
  id: number
  keys: string[]
}

/** A table whose rows name pictures. */
interface Table {
  name: keyof MediaCheck['missing']
  /** Returns the first rows with pictures after an id. */
  read(after: number): Promise<Pictures[]>
  /** Removes the keys of pictures from a row if it still names them. Thumbnails with a link are fetched again. */
  repair(row: Pictures): Promise<unknown>
}

/**
 * Counts what is missing and what is unused. With `repair`, removes the keys of missing pictures, has their thumbnails
 * fetched again by the site, and deletes unused pictures. The site may be running.
 * @throws StoreIsEmptyError if rows name pictures and nothing at all is stored
 */
export async function checkMedia(deps: Dependencies, { repair }: { repair: boolean }): Promise<MediaCheck> {
  const check: MediaCheck = { found: 0, missing: { videos: 0, bookmarks: 0, users: 0 }, unused: 0 }
  const isEmpty = await isStoreEmpty(deps.media)
  for (const table of tablesWithPictures(deps.db)) {
    let after = 0
    for (let rows = await table.read(after); rows.length > 0; rows = await table.read(after)) {
      if (isEmpty) throw new StoreIsEmptyError()
      const missing = await findMissing(deps, rows)
      check.found += rows.flatMap(({ keys }) => keys).filter((key) => !missing.has(key)).length
      for (const row of rows.filter(({ keys }) => keys.some((key) => missing.has(key)))) {
        check.missing[table.name] += 1
        if (repair) await table.repair(row)
      }
      after = rows.at(-1)?.id ?? after
    }
  }
  if (repair) check.unused = await deleteOrphanedPictures(deps)
  else for await (const keys of findOrphanedPictures(deps)) check.unused += keys.length
  return check
}

/** The store contains nothing although rows name pictures: a wrong folder or bucket, not pictures that were lost. */
export class StoreIsEmptyError extends Error {
  override readonly name = 'StoreIsEmptyError'
  constructor() {
    super('Nothing is stored, although rows name pictures. Check DATA_DIR and S3_URL.')
  }
}

async function isStoreEmpty(media: MediaStore): Promise<boolean> {
  for await (const batch of media.list()) if (batch.length > 0) return false
  return true
}

function tablesWithPictures(db: Sql): Table[] {
  const thumbnails = (name: 'videos' | 'bookmarks', table: Fragment, retryAt: Fragment): Table => ({
    name,
    read: (after) => db<Pictures[]>`
      select id, array[thumbnail_key, thumbnail_large_key] as keys from ${table}
       where id > ${after} and thumbnail_key is not null order by id limit ${batchSize}`,
    repair: ({ id, keys }) => db`
      update ${table}
         set thumbnail_key = null, thumbnail_large_key = null, thumbnail_state = 'failed', thumbnail_failures = 0,
             thumbnail_retry_at = ${retryAt}, updated_at = now()
       where id = ${id} and thumbnail_key = any (${keys}::text[])`,
  })
  return [
    thumbnails('videos', db`videos`, db`now()`),
    thumbnails('bookmarks', db`bookmarks`, db`case when not thumbnail_is_uploaded then now() end`),
    {
      name: 'users',
      read: (after) => db<Pictures[]>`
        select id, array[avatar_key] as keys from users
         where id > ${after} and avatar_key is not null order by id limit ${batchSize}`,
      repair: ({ id, keys }) =>
        db`update users set avatar_key = null where id = ${id} and avatar_key = any (${keys}::text[])`,
    },
  ]
}

/** Returns which pictures of the rows are missing. Another process may have replaced a picture after its row was read. */
async function findMissing({ db, media }: Dependencies, rows: Pictures[]): Promise<Set<string>> {
  const keys = rows.flatMap((row) => row.keys)
  const missing: string[] = []
  for (let start = 0; start < keys.length; start += concurrency) {
    const some = keys.slice(start, start + concurrency)
    const areStored = await Promise.all(some.map((key) => media.has(key)))
    missing.push(...some.filter((_key, n) => !areStored[n]))
  }
  return new Set(missing.length === 0 ? [] : await findUsedKeys(db, missing))
}
