/** Jobs of moderation: notify many savers, find similar pictures, sync banned users, purge what was removed long ago. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ReportType } from '@reelmark/contract/reports.ts'
import type { Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { withTransaction } from '../../core/database/transaction.ts'
import type { Deps } from '../../core/deps.ts'
import { notifyNextSavers, notifySaversJob } from './decisions/decision-queries.ts'
import { removeVideoPictures, removeVideoPicturesJob } from './decisions/remove-pictures.ts'
import { hideSimilarPictures, hideSimilarPicturesJob } from './decisions/similar-pictures.ts'
import { syncBannedUserBookmarks, syncBannedUserJob } from './sanctions/user-queries.ts'

/** Reports of these types mean that the video does not work, not that it must not be saved. */
const brokenReasons: ReportType[] = ['broken_source', 'broken_thumbnail', 'broken_embed']

/** How many targets one query finds. */
const batchSize = 20

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function moderationQueues({ db, jobs, media }: Pick<Deps, 'db' | 'jobs' | 'media'>): JobQueue<any>[] {
  return [
    {
      ...notifySaversJob,
      changesResponses: true,
      retries: 5,
      seconds: 60,
      concurrency: 1,
      work: ({ decision_id, video_id, after }: { decision_id: number; video_id: number; after: number }) =>
        withTransaction(db, (tx) => notifyNextSavers(tx, jobs, decision_id, video_id, after)),
    },
    {
      ...syncBannedUserJob,
      changesResponses: true,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: async ({ user_id }: { user_id: number }) => {
        await syncBannedUserBookmarks(db, user_id)
      },
    },
    {
      ...hideSimilarPicturesJob,
      changesResponses: true,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: async ({ hash }: { hash: string }) => {
        await hideSimilarPictures(db, hash)
      },
    },
    {
      ...removeVideoPicturesJob,
      retries: 10,
      seconds: 600,
      concurrency: 1,
      work: ({ video_id }: { video_id: number }) => removeVideoPictures({ db, media }, video_id),
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

/** Deletes videos and comments whose removal can no longer be undone, and returns how many. */
export async function purgeRemoved(db: Sql): Promise<number> {
  let purgedCount = 0
  for (;;) {
    const targets = await db<{ target_kind: string; target_id: number }[]>`
      select distinct d.target_kind, d.target_id from moderation_decisions d
       where d.action = 'remove' and d.undone_at is null
         and d.created_at < now() - make_interval(days => ${limits.appealDays})
         -- An open appeal was created in time and is not decided yet.
         and not exists (select from appeals a where a.decision_id = d.id and a.status = 'open')
         and (exists (select from videos v where d.target_kind = 'video' and v.id = d.target_id and v.status = 'removed')
              or exists (select from comments c
                          where d.target_kind = 'comment' and c.id = d.target_id and c.status = 'removed'))
       order by d.target_kind, d.target_id limit ${batchSize}`
    if (targets.length === 0) return purgedCount
    for (const { target_kind, target_id } of targets) {
      if (target_kind === 'video') await purgeVideo(db, target_id)
      else await purgeComment(db, target_id)
      purgedCount += 1
    }
  }
}

/** Deletes a comment. Locks its video first, as everything does that counts comments, so that nothing deadlocks. */
async function purgeComment(db: Sql, id: number): Promise<void> {
  await db.begin(async (tx) => {
    await tx`select from videos where id = (select video_id from comments where id = ${id}) for no key update`
    await tx`delete from comments where id = ${id} and status = 'removed'`
  })
}

/** Deletes a video, its bookmarks first and in batches: one statement would time out on a video that many users saved. */
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
  await db.begin(async (tx) => {
    // The link stays refused, unless the video was only broken: then it may work again.
    await tx`
      insert into refused_links (canonical_hash)
      select v.canonical_hash from videos v
       where v.id = ${id} and v.status = 'removed'
         and exists (select from moderation_decisions d
                      where d.target_kind = 'video' and d.target_id = v.id and d.action = 'remove' and d.undone_at is null
                        and coalesce(d.reason, '') <> all (${brokenReasons}::text[]))
      on conflict do nothing`
    await tx`delete from videos where id = ${id} and status = 'removed'`
  })
}
