import { runAdmin } from '../admin.ts'
import type { TestApp } from './test-app.ts'

interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

interface CommandOptions {
  /** Settings that replace those of the site. */
  env?: Record<string, string>
  /** The password that the operator enters. */
  input?: string
  /** Gets the lines of the security log that the command writes. */
  log?: Record<string, unknown>[]
}

/**
 * Runs a command of the operator for a test site.
 * @param folder the folder of the files that the arguments name
 */
export async function runAdminCommand(
  site: TestApp,
  folder: string,
  args: string[],
  { env = {}, input = 'a long walk in the rain', log = [] }: CommandOptions = {},
): Promise<CommandResult> {
  const result: CommandResult = { code: -1, stdout: '', stderr: '' }
  result.code = await runAdmin(
    args,
    { DATABASE_URL: site.databaseUrl, DATA_DIR: site.settings.dataDir, INIT_CWD: folder, ...env },
    {
      print: (text) => {
        result.stdout += text
      },
      printError: (text) => {
        result.stderr += text
      },
      readPassword: async () => input,
      logStream: { write: (line) => log.push(JSON.parse(line)) },
    },
  )
  return result
}
