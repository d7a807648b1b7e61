/** Classifies errors: which of them mean that a connection was lost or must not be used again. */
import { DatabaseError } from 'pg'
import { explainCertificateError } from '../refused-certificate.ts'

/** The connection was lost. Whether the statement was executed is unknown. */
class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Returns errors of PostgreSQL and of the network unchanged, a refused certificate as RefusedCertificate, and pg's own
 * errors without a code as ConnectionError.
 */
export function asConnectionError(error: Error): Error {
  const { code } = error as { code?: string }
  const isOwnCode = code === undefined || (code.startsWith('ERR_') && !code.startsWith('ERR_TLS_'))
  if (error instanceof DatabaseError) return error
  if (!isOwnCode) return explainCertificateError(error, 'database') as Error
  if (error.message === 'The server does not support SSL connections') {
    return new ConnectionError(
      'The database offers no TLS: turn it on there, or add sslmode=disable to its URL.',
      'TLS_NOT_OFFERED',
      error,
    )
  }
  return new ConnectionError('The connection to the database was lost.', 'CONNECTION_CLOSED', error)
}

export function poolEndedError(): Error {
  return new ConnectionError('The connections to the database were closed.', 'CONNECTION_ENDED')
}

/** Returns whether the connection on which this error occurred must be closed. */
export function endsConnection(error: unknown): boolean {
  if (error === undefined) return false
  if (!(error instanceof DatabaseError)) return error instanceof Error
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isOutdated(error)
}

/** Returns whether the error is "cached plan must not change result type", after which the statement did not run. */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'
}
