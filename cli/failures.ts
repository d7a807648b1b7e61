/** How commands fail, and the text that the user reads. */
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { printable } from './terminal.ts'

/** `help` lists the same numbers. */
export const exitCodes = { success: 0, failure: 1, usage: 2, notLoggedIn: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An error that the user can understand. Its message is printed as it is. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failure) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Returns the error for a command that was not entered correctly. */
export function usageError(message: string): CommandError {
  return new CommandError(message, exitCodes.usage)
}

/** Returns an error as one that the user can understand; null for a bug. */
export function toCommandError(error: unknown, site: string | null): CommandError | null {
  if (error instanceof CommandError) return error
  if (!isCallError(error)) return null
  const { status, code } = error
  const name = site ?? 'the site'
  if (status === 0) return new CommandError(`Couldn't reach ${name}. Check the address and your connection.`)
  if (code === null) return new CommandError(`${name} answered with status ${status}. Is it a Reelmark site?`)
  if (status === 401) {
    return new CommandError(
      `The access to ${name} is no longer valid. Log in again: reelmark login ${name}`,
      exitCodes.notLoggedIn,
    )
  }
  if (code === 'rate-limited' && error.retryAfter !== null) {
    return new CommandError(
      `${name} limits how often this is possible. Try again in ${error.retryAfter} seconds.`,
    )
  }
  return new CommandError(describeBody(error.body) || `The request failed with status ${status}.`)
}

/** Returns the texts of an error, those about a field with its name: `title: This field is required.` */
function describeBody(body: unknown): string {
  if (body === null || typeof body !== 'object') return ''
  return Object.entries(body)
    .filter(([name, value]) => name !== 'code' && name !== 'error' && typeof value !== 'number')
    .map(([name, value]) => {
      const text = errorTexts(value).join(' ')
      return printable(name === 'detail' || name === 'non_field_errors' ? text : `${name}: ${text}`)
    })
    .join('\n')
}
