/** Updates the bookmarks of videos that got another uploader and have more of them than the trigger updates. */
import type { Db, Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { bookmarkBatchSize } from '../../shared/batch-size.ts'

/** A run ends before the next one begins, which continues. */
const runSeconds = 45

export function syncUploadersQueue(db: Sql): JobQueue<object> {
  return {
    name: 'sync-uploaders',
    changesResponses: true,
    cron: '* * * * *',
    retries: 0,
    seconds: 300,
    concurrency: 1,
    work: () => syncUploaders(db, { seconds: runSeconds }),
  }
}

/** Updates them in batches. @param seconds when to begin no further batch */
export async function syncUploaders(db: Sql, { seconds }: { seconds: number }): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const [next] = await db<UploaderSync[]>`
      select video_id, last_bookmark_id from uploader_syncs order by video_id limit 1`
    if (next === undefined) return
    await db.begin((tx) => updateNext(tx, next))
  }
}

interface UploaderSync {
  video_id: number
  last_bookmark_id: number
}

async function updateNext(tx: Db, { video_id, last_bookmark_id }: UploaderSync): Promise<void> {
  const rows = await tx<{ id: number }[]>`
    select id from bookmarks where video_id = ${video_id} and id > ${last_bookmark_id}
     order by id limit ${bookmarkBatchSize}`
  const ids = rows.map(({ id }) => id)
  await tx`select lock_bookmarks(${ids}::bigint[])`
  // Triggers remove a removed uploader, and set the search vector.
  await tx`update bookmarks set uploader_name = uploader_name where id = any (${ids}::bigint[])`
  // The uploader may have changed again meanwhile: then all of them are updated again.
  const isUnchanged = tx`video_id = ${video_id} and last_bookmark_id = ${last_bookmark_id}`
  if (ids.length < bookmarkBatchSize) await tx`delete from uploader_syncs where ${isUnchanged}`
  else await tx`update uploader_syncs set last_bookmark_id = ${ids.at(-1) ?? 0} where ${isUnchanged}`
}
