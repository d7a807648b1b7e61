/**
 * Deleting an account: it is closed at once, in a short transaction, and what it kept is taken away in batches, each
 * a transaction of its own. Whoever asked waits for that (1 to 2 s for 20,000 bookmarks), so that all of it is gone
 * with the answer; a process that dies meanwhile is taken over from by the clock. In one transaction it would take
 * 9 s for as many, and hold every one of their videos.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import {
  findUnfinishedRemovals,
  findUserPictures,
  removalBatch,
  removalSteps,
  removeCollections,
  removeUser,
} from './remove-account-queries.ts'

type Dependencies = Pick<Deps, 'db' | 'media'>

/** Takes away all of a closed account. May be begun anew, or twice at once. */
export async function removeAccount({ db, media }: Dependencies, userId: number): Promise<void> {
  const inTransaction = <T>(work: (tx: TransactionSql) => Promise<T>) => retryOnDeadlock(() => db.begin(work))
  let isRemoved = false
  while (!isRemoved) {
    for (const { find, remove: take } of removalSteps) {
      let ids = await find(db, userId)
      while (ids.length > 0) {
        for (let at = 0; at < ids.length; at += removalBatch) {
          await inTransaction((tx) => take(tx, userId, ids.slice(at, at + removalBatch)))
        }
        ids = await find(db, userId)
      }
    }
    // Before the rows that name them: they would be forgotten otherwise.
    for (const key of await findUserPictures(db, userId)) await media.delete(key)
    await inTransaction((tx) => removeCollections(tx, userId))
    isRemoved = (await inTransaction((tx) => removeUser(tx, userId))) as boolean
    if (!isRemoved) await sleep(20)
  }
}

/** The order of locks lets nobody wait in a circle here; whoever does not keep to it costs another try, no more. */
async function retryOnDeadlock<T>(work: () => Promise<T>, tries = 5): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { code?: string }
    if (tries <= 1 || (code !== deadlockDetected && code !== queryCancelled)) throw error
    return retryOnDeadlock(work, tries - 1)
  }
}

const deadlockDetected = '40P01'
/** It waited for a lock for longer than a statement may take. */
const queryCancelled = '57014'

/** Removes what a crash left of closed accounts. */
export function unfinishedRemovalsQueue(needs: Dependencies): JobQueue<object> {
  return {
    name: 'finish-account-removals',
    cron: '* * * * *',
    retries: 0,
    seconds: 600,
    concurrency: 1,
    work: async () => {
      for (const id of await findUnfinishedRemovals(needs.db)) await removeAccount(needs, id)
    },
  }
}
