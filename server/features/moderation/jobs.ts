/** Telling the many who keep a video; finding what looks like what was refused; removing for good what was removed long ago. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { withTransaction } from '../../core/database/transaction.ts'
import type { Deps } from '../../core/deps.ts'
import { notifyNextSavers, notifySaversJob } from './decisions/decision-queries.ts'
import { hideSimilarPictures, hideSimilarPicturesJob } from './decisions/similar-pictures.ts'
import { syncBannedUserBookmarks, syncBannedUserJob } from './sanctions/user-queries.ts'

/** Videos at once. */
const batchSize = 20

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function moderationQueues({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): JobQueue<any>[] {
  return [
    {
      ...notifySaversJob,
      retries: 5,
      seconds: 60,
      concurrency: 1,
      work: ({ decision_id, video_id, after }: { decision_id: number; video_id: number; after: number }) =>
        withTransaction(db, (tx) => notifyNextSavers(tx, jobs, decision_id, video_id, after)),
    },
    {
      ...syncBannedUserJob,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: async ({ user_id }: { user_id: number }) => {
        await syncBannedUserBookmarks(db, user_id)
      },
    },
    {
      ...hideSimilarPicturesJob,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: async ({ hash }: { hash: string }) => {
        await hideSimilarPictures(db, hash)
      },
    },
    {
      name: 'purge-removed',
      cron: '23 4 * * *',
      retries: 3,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await purgeRemoved(db)
      },
    },
  ]
}

/** Videos and comments that nobody can restore any more go for good. @returns how many. */
export async function purgeRemoved(db: Sql): Promise<number> {
  let removed = 0
  for (;;) {
    const gone = await db<{ target_kind: string; target_id: number }[]>`
      select distinct d.target_kind, d.target_id from moderation_decisions d
       where d.action = 'remove' and d.undone_at is null
         and d.created_at < now() - make_interval(days => ${limits.appealDays})
         -- Somebody asked for another look in time, and nobody has looked yet.
         and not exists (select from appeals a where a.decision_id = d.id and a.status = 'open')
         and (exists (select from videos v where d.target_kind = 'video' and v.id = d.target_id and v.status = 'removed')
              or exists (select from comments c
                          where d.target_kind = 'comment' and c.id = d.target_id and c.status = 'removed'))
       order by d.target_kind, d.target_id limit ${batchSize}`
    if (gone.length === 0) return removed
    for (const { target_kind, target_id } of gone) {
      if (target_kind === 'video') await purgeVideo(db, target_id)
      else await db`delete from comments where id = ${target_id} and status = 'removed'`
      removed += 1
    }
  }
}

/** Bookmarks first, in batches: a video that many keep would be more than one statement may take. */
async function purgeVideo(db: Sql, id: number): Promise<void> {
  for (;;) {
    const rows = await db<
      { id: number }[]
    >`select id from bookmarks where video_id = ${id} order by id limit 200`
    if (rows.length === 0) break
    const ids = rows.map((row) => row.id)
    await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      await tx`delete from bookmarks where id = any (${ids}::bigint[])`
    })
  }
  await db`delete from videos where id = ${id} and status = 'removed'`
}
