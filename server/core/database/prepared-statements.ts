/** The statements that a connection has prepared, of which it keeps a limited number. */
import type { PoolClient } from 'pg'

/**
 * Maximum size of all statements that a connection has prepared. Their plans take 60 to 80 bytes of the database's memory for each character,
 * and some more for each statement: about 20 MB for each connection.
 */
const maxSize = 300_000
const sizeOf = (text: string) => text.length + 500

/** What node-postgres has no public method for: closing a prepared statement. */
interface DriverConnection {
  close(statement: { type: 'S'; name: string }): void
  parsedStatements: Record<string, string>
}

/** Texts that connections prepared. Each is built again for each request, and connections would each keep their own copies. */
const sharedTexts = new Map<string, string>()
const maxSharedTexts = 1000

/** Returns the copy of a text that all connections share. */
export function shareText(text: string): string {
  const shared = sharedTexts.get(text)
  if (shared !== undefined) return shared
  if (sharedTexts.size === maxSharedTexts) sharedTexts.clear()
  sharedTexts.set(text, text)
  return text
}

/**
 * Returns a function that returns the name under which a connection prepares a text. If they are too large together, the statements
 * that were used the longest time ago are closed: users can send any number of different texts.
 */
export function createStatementNames(client: PoolClient): (text: string) => string {
  const { connection } = client as PoolClient & { connection: DriverConnection }
  const names = new Map<string, string>()
  let count = 0
  let size = 0
  return (text) => {
    const known = names.get(text)
    const name = known ?? `s${++count}`
    if (known === undefined) size += sizeOf(text)
    // A map lists its entries in the order in which they were added.
    names.delete(text)
    names.set(text, name)
    for (const [oldest, closed] of names) {
      if (size <= maxSize || oldest === text) break
      names.delete(oldest)
      size -= sizeOf(oldest)
      delete connection.parsedStatements[closed]
      // Unlike DEALLOCATE, this neither waits nor fails in a transaction that failed.
      connection.close({ type: 'S', name: closed })
    }
    return name
  }
}
