/** What becomes of errors: which of them mean that a connection is gone or must not be used again. */
import { DatabaseError } from 'pg'

/** The connection is gone: whether the statement was carried out, nobody can tell. */
class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Returns errors of PostgreSQL and of the network as they are, and pg's own, which have no code, as ConnectionError. */
export function asConnectionError(error: Error): Error {
  const { code } = error as { code?: string }
  if (error instanceof DatabaseError || (code !== undefined && !code.startsWith('ERR_'))) return error
  return new ConnectionError('The connection to the database was lost.', 'CONNECTION_CLOSED', error)
}

export function ended(): Error {
  return new ConnectionError('The connections to the database were closed.', 'CONNECTION_ENDED')
}

/** Whether the connection on which this error came must be closed. */
export function endsConnection(error: unknown): boolean {
  if (error === undefined) return false
  if (!(error instanceof DatabaseError)) return error instanceof Error
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isOutdated(error)
}

/** "cached plan must not change result type": the statement did not run. */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'
}
