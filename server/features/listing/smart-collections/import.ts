import { isPersonalQuery, type SmartQuery } from '@reelmark/contract/smart-collections.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { isNotTrashed } from '../../../shared/visibility.ts'
import { createSmartCollection } from './queries.ts'
import { requireValidQuery } from './resolve.ts'

export interface SmartCollectionImport {
  name: string
  description: string
  access: 'public' | 'private'
  query: SmartQuery
  /** ISO 8601. */
  created_at: string
}

export type SmartCollectionOutcome =
  | { outcome: 'added'; id: number }
  | { outcome: 'duplicate' | 'invalid' | 'limit-reached' }

/** Imports smart collections, and returns the outcome of each. One with the same name and query is a duplicate. */
export async function importSmartCollections(
  tx: TransactionSql,
  userId: number,
  items: readonly SmartCollectionImport[],
): Promise<SmartCollectionOutcome[]> {
  const outcomes: SmartCollectionOutcome[] = []
  for (const item of items) outcomes.push(await importOne(tx, userId, item))
  return outcomes
}

async function importOne(
  tx: TransactionSql,
  userId: number,
  item: SmartCollectionImport,
): Promise<SmartCollectionOutcome> {
  const access = isPersonalQuery(item.query) ? 'private' : item.access
  const existing = await tx`
    select from smart_collections
     where user_id = ${userId} and name = ${item.name} and query = ${JSON.stringify(item.query)}::text::jsonb
       and ${isNotTrashed(tx, 'smart_collections')} limit 1`
  if (existing.count > 0) return { outcome: 'duplicate' }
  try {
    requireValidQuery(item.query, access)
    return { outcome: 'added', id: await createSmartCollection(tx, userId, { ...item, access }) }
  } catch (error) {
    if (error instanceof InvalidFields) return { outcome: 'invalid' }
    if (error instanceof ApiError && error.code === 'limit-reached') return { outcome: 'limit-reached' }
    throw error
  }
}
