/** The statements that a connection has prepared, of which it keeps a limited number. */
import type { PoolClient } from 'pg'

/** Searches have long texts, whose plans take about a megabyte of the database's memory each. */
const longText = 3000
const maxLong = 10
const maxShort = 300

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
 * Returns a function that returns the name under which a connection prepares a text. If there are too many, the statement that
 * was used the longest time ago is closed: users can send any number of different texts.
 */
export function createStatementNames(client: PoolClient): (text: string) => string {
  const { connection } = client as PoolClient & { connection: DriverConnection }
  const [long, short] = [new Map<string, string>(), new Map<string, string>()]
  let count = 0
  return (text) => {
    const isLong = text.length > longText
    // A map lists its entries in the order in which they were added.
    const names = isLong ? long : short
    const name = names.get(text) ?? `s${++count}`
    names.delete(text)
    names.set(text, name)
    const [oldest] = names
    if (oldest !== undefined && names.size > (isLong ? maxLong : maxShort)) {
      const [oldestText, closed] = oldest
      names.delete(oldestText)
      delete connection.parsedStatements[closed]
      // Unlike DEALLOCATE, this neither waits nor fails in a transaction that failed.
      connection.close({ type: 'S', name: closed })
    }
    return name
  }
}
