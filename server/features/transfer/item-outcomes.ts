/** What became of the items of a part. */
import type { ItemOutcome } from './import-report.ts'

export const known: ItemOutcome = { outcome: 'known' }

export function created(id: number): ItemOutcome {
  return { outcome: 'new', created_id: id }
}

export function skipped(reason: string): ItemOutcome {
  return { outcome: 'skipped', reason }
}

export function rejected(reason: string): ItemOutcome {
  return { outcome: 'rejected', reason }
}

/**
 * Returns the outcome of each item by the id of what it refers to. The first item of each id that was created is new, the others
 * are known.
 * @param ids the id of each item, or null if it refers to nothing that exists
 */
export function outcomesById(
  ids: readonly (number | null)[],
  createdIds: readonly number[],
  missingReason: string,
): ItemOutcome[] {
  const remaining = new Set(createdIds)
  return ids.map((id) => {
    if (id === null) return rejected(missingReason)
    return remaining.delete(id) ? created(id) : known
  })
}
