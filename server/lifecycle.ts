/** Starting and stopping of the processes: shared by the supervisor and its workers. */
import type { Log } from './core/log.ts'
import { RefusedCertificate } from './core/refused-certificate.ts'
import { SettingsError } from './core/settings.ts'

/** The started components in order. They are stopped in reverse order. */
export type Running = { name: string; stop(): Promise<unknown> }[]

/** Message from a worker to the supervisor: it is listening, or the reason why it cannot start. */
export type WorkerMessage = { isListening: true } | { startError: string }

/** Time that a worker has to finish its requests, in milliseconds. */
export const workerShutdownTimeoutMs = 15_000

export type Stop = (reason: string, exitCode?: number) => Promise<void>

/** The exit code after an uncaught error (EX_SOFTWARE). The supervisor starts the worker again. */
const crashExitCode = 70

/**
 * Returns a function that stops all components in reverse order and ends the process. A second call, or exceeding
 * `timeoutMs`, ends it immediately.
 */
export function createStop(log: Log, running: Running, timeoutMs: number): Stop {
  let isStopping = false
  return async (reason, exitCode = 0) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => {
      log.error('stopping took too long')
      process.exit(1)
    }, timeoutMs).unref()
    let code = exitCode
    for (const component of running.reverse()) {
      await component.stop().catch((error: unknown) => {
        code = 1
        log.error({ err: error }, `stopping the ${component.name} failed`)
      })
    }
    log.info('stopped')
    process.exit(code)
  }
}

/** Ends the process after an uncaught error, because its state is unknown. */
export function exitOnUncaughtErrors(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends after an uncaught error')
    process.exit(crashExitCode)
  })
}

/** Returns the message for an operator who tried to start the server. */
export function describeStartError(error: unknown): string {
  const { code } = error as { code?: string }
  const isForOperator =
    error instanceof SettingsError || error instanceof RefusedCertificate || code === 'TLS_NOT_OFFERED'
  if (isForOperator) return (error as Error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
