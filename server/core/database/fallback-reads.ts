/** Runs statements on a replica, and repeats those that fail there on the primary. */
import type { Sql } from './pool.ts'
import { type Fragment, Statement } from './statement.ts'

/**
 * Returns a connection for reads. A statement that fails on the replica runs on the primary: a lost connection, a
 * statement cancelled because it delays replication (40001), or a replica that is damaged costs time only. Transactions
 * and everything but statements use the primary.
 * @param getReplica returns null while the replica is not connected
 * @param onRepeat called with the error of the replica before a statement is repeated
 */
export function createFallbackReads(
  primary: Sql,
  getReplica: () => Sql | null,
  onRepeat: (error: unknown) => void,
): Sql {
  const run = async (statement: Fragment) => {
    const replica = getReplica()
    if (replica !== null) {
      try {
        return await sendTo(replica, statement)
      } catch (error) {
        if (isTimeout(error)) throw error
        onRepeat(error)
      }
    }
    return sendTo(primary, statement)
  }
  const template = (first: TemplateStringsArray | string | object, ...args: unknown[]) => {
    if (typeof first === 'string') return primary(first)
    return 'raw' in first ? new Statement(first as TemplateStringsArray, args, run) : primary(first)
  }
  return Object.assign(template as Sql, primary)
}

function sendTo(db: Sql, statement: Fragment): Fragment {
  const copy = db`${statement}`
  return statement.isPrepared ? copy : copy.unprepared()
}

/** Returns whether the statement was cancelled because it took too long, which it would on the primary too. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '57014'
}
