/** How a process of the server stops: what the supervisor and its workers share. */
import type { Log } from './core/log.ts'
import { SettingsError } from './core/settings.ts'

/** What was started, in order; stopped in reverse. */
export type Running = { name: string; stop(): Promise<unknown> }[]

/** What a worker tells the supervisor: that it listens, or why it cannot start. */
export type WorkerMessage = { isListening: true } | { startError: string }

/** Milliseconds that a worker has to finish its requests. */
export const workerPatience = 15_000

export type Stop = (reason: string, exitCode?: number) => Promise<void>

/** The exit code of a process that a bug ended (EX_SOFTWARE): it is worth starting again. */
const crashed = 70

/**
 * Returns a function that stops everything in reverse order and ends the process. A second call, or taking longer than
 * `patience` milliseconds, ends it at once.
 */
export function createStop(log: Log, running: Running, patience: number): Stop {
  let isStopping = false
  return async (reason, exitCode = 0) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => {
      log.error('stopping took too long')
      process.exit(1)
    }, patience).unref()
    let code = exitCode
    for (const part of running.reverse()) {
      await part.stop().catch((error: unknown) => {
        code = 1
        log.error({ err: error }, `stopping the ${part.name} failed`)
      })
    }
    log.info('stopped')
    process.exit(code)
  }
}

/** Ends the process after an error that nobody caught: what it was doing is in an unknown state. */
export function exitOnUncaughtErrors(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a bug brought the process down')
    process.exit(crashed)
  })
}

/** What to tell the person who tried to start the server. */
export function describeStartError(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
