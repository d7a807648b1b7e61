/** Chooses for each request whether it reads from the replica or from the primary. */
import type { Viewer } from '../auth/session.ts'
import type { Db } from '../database/database.ts'
import type { ReadSource, Replica } from '../database/replica.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from './errors.ts'

/** Returns the replica if the viewer may read from it, and every write that was announced before this request is known. */
export function chooseReplica({ replica, visitorCache }: Deps, viewer: Viewer | null): ReadSource | null {
  if (replica === null || (viewer !== null && !visitorCache.isCurrent(viewer.last_change))) return null
  return replica.choose(viewer)
}

/**
 * Reads from the replica if there is one, otherwise from the primary. A read that finds nothing on the replica (404) is
 * repeated on the primary, because the replica may not contain the row yet.
 */
export async function readFrom<T>(
  source: ReadSource | null,
  primary: Db,
  read: (readDb: Db) => Promise<T>,
): Promise<{ value: T; currentUntil?: number }> {
  if (source === null) return { value: await read(primary) }
  try {
    return { value: await read(source.db), currentUntil: source.currentUntil }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return { value: await read(primary) }
  }
}

/** Returns whether a cached response contains everything that the viewer wrote. */
export function containsWritesOf(
  replica: Replica | null,
  viewer: Viewer,
  { currentUntil }: { currentUntil?: number },
): boolean {
  return replica === null || currentUntil === undefined || replica.containsWritesOf(viewer, currentUntil)
}
