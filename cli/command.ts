/** What a command consists of, and what it can use. */
import type { ParseArgsConfig } from 'node:util'
import type { Site } from './site.ts'

export interface Terminal {
  env: Record<string, string | undefined>
  /** Standard input; `isTTY` if a user would have to type it. */
  stdin: AsyncIterable<Buffer | string> & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
}

export interface CommandInput {
  positionals: string[]
  values: Record<string, string | boolean | string[] | undefined>
}

export interface Context {
  terminal: Terminal
  /** Whether the result is printed as JSON. */
  isJson: boolean
  /** Prints the result: as JSON with `--json`, otherwise the text. */
  print: (json: unknown, text: string) => void
  /** Prints what the user should know besides the result. */
  note: (text: string) => void
  /** Returns the address of the named site, otherwise of that of `--site`, REELMARK_SITE or the last login; null without any. */
  findSite: (named?: string) => Promise<string | null>
  /** Returns the site with its access token. Throws if the user is not logged in. */
  openSite: () => Promise<Site>
}

export interface Command {
  /** What follows the name: `URL… [options]`. */
  usage: string
  summary: string
  /** Lines of the help: options and remarks. */
  help: string
  options: NonNullable<ParseArgsConfig['options']>
  /** Returns whether everything succeeded. */
  run: (context: Context, input: CommandInput) => Promise<boolean>
}
