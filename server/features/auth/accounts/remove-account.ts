/**
 * Deletes an account. A short transaction closes it; its data is then deleted in batches, each in a transaction of its
 * own. The request waits for that (1 to 2 s for 20,000 bookmarks), so that everything is deleted when it returns. If
 * the process crashes, a scheduled job continues. A single transaction would take 9 s and lock all of the videos.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { deleteQueuedPictures } from '../../../core/media/picture-deletion.ts'
import {
  findAvatar,
  findUnfinishedRemovals,
  removalBatch,
  removalSteps,
  removeCollections,
  removeUser,
} from './remove-account-queries.ts'

type Dependencies = Pick<Deps, 'db' | 'media'>

/** Deletes all data of a closed account. May be repeated, and run concurrently. */
export async function removeAccount({ db, media }: Dependencies, userId: number): Promise<void> {
  const avatarKey = await findAvatar(db, userId)
  const inTransaction = <T>(work: (tx: TransactionSql) => Promise<T>) => retryOnDeadlock(() => db.begin(work))
  let isRemoved = false
  while (!isRemoved) {
    for (const { find, remove: removeBatch } of removalSteps) {
      let ids = await find(db, userId)
      while (ids.length > 0) {
        for (let start = 0; start < ids.length; start += removalBatch) {
          await inTransaction((tx) => removeBatch(tx, userId, ids.slice(start, start + removalBatch)))
        }
        ids = await find(db, userId)
      }
    }
    await inTransaction((tx) => removeCollections(tx, userId))
    isRemoved = (await inTransaction((tx) => removeUser(tx, userId))) as boolean
    if (!isRemoved) await sleep(20)
  }
  // Thumbnails, and everything after a crash, are deleted by a job within a minute.
  if (avatarKey !== null) await deleteQueuedPictures({ db, media }, [avatarKey])
}

/** Repeats work after a deadlock. The lock order prevents deadlocks here; other code might not follow it. */
async function retryOnDeadlock<T>(work: () => Promise<T>, maxAttempts = 5): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { code?: string }
    if (maxAttempts <= 1 || (code !== deadlockDetected && code !== queryCancelled)) throw error
    return retryOnDeadlock(work, maxAttempts - 1)
  }
}

const deadlockDetected = '40P01'
/** The statement timeout was exceeded while waiting for a lock. */
const queryCancelled = '57014'

/** Returns the scheduled job that continues removals after a crash. */
export function unfinishedRemovalsQueue(deps: Dependencies): JobQueue<object> {
  return {
    name: 'finish-account-removals',
    cron: '* * * * *',
    retries: 0,
    seconds: 600,
    concurrency: 1,
    work: async () => {
      for (const id of await findUnfinishedRemovals(deps.db)) await removeAccount(deps, id)
    },
  }
}
