import type { TransactionSql } from '../../core/database/database.ts'
import { lockOwnCollections } from '../collections/public-api.ts'

/** Locks the rows that a change of these bookmarks will touch, and returns the ids of those that are the user's own. */
export async function lockOwnBookmarks(tx: TransactionSql, userId: number, ids: number[]): Promise<number[]> {
  await lockOwnCollections(tx, userId)
  const own = await tx<{ id: number }[]>`
    select id from bookmarks where id = any (${ids}::bigint[]) and user_id = ${userId}`
  const found = own.map(({ id }) => id)
  await tx`select lock_bookmarks(${found}::bigint[])`
  return found
}
