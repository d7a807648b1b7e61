import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, Context, Terminal } from './command.ts'
import { addCommand } from './commands/add.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { listCommand, searchCommand } from './commands/list.ts'
import { loginCommand } from './commands/login.ts'
import { logoutCommand } from './commands/logout.ts'
import { configPath, parseSite, readConfig } from './config-file.ts'
import { CommandError, type ExitCode, exitCodes, toCommandError, usageError } from './failures.ts'
import { connectTo } from './site.ts'
import { printableJson } from './terminal.ts'

const commands: Record<string, Command> = {
  login: loginCommand,
  logout: logoutCommand,
  add: addCommand,
  list: listCommand,
  search: searchCommand,
  import: importCommand,
  export: exportCommand,
}

const commonOptions = {
  site: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

const commonHelp = `  --site ADDRESS     the site (default: REELMARK_SITE, or the site of the last login)
  --json             print the result as JSON
  -h, --help         print this help`

/** Runs a command line and returns the exit code. The result goes to standard output, everything else to standard error. */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<ExitCode> {
  let site: string | null = null
  try {
    const [name = 'help', ...rest] = args
    if (['help', '--help', '-h'].includes(name)) {
      terminal.stdout.write(generalHelp(rest[0]))
      return exitCodes.success
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) throw usageError(`There is no command "${name}". See: reelmark help`)
    const { values, positionals } = parse(rest, name, command)
    if (values.help) {
      terminal.stdout.write(commandHelp(name, command))
      return exitCodes.success
    }
    const context = createContext(terminal, values, (address) => {
      site = address
    })
    return (await command.run(context, { values, positionals })) ? exitCodes.success : exitCodes.failure
  } catch (error) {
    const failure = toCommandError(error, site)
    if (failure === null) throw error
    terminal.stderr.write(`${failure.message}\n`)
    return failure.exitCode
  }
}

function parse(args: string[], name: string, { options }: Command) {
  try {
    return parseArgs({ args, options: { ...commonOptions, ...options }, allowPositionals: true })
  } catch (error) {
    throw usageError(`${(error as Error).message}\nSee: reelmark ${name} --help`)
  }
}

function createContext(
  terminal: Terminal,
  values: { site?: string | undefined; json?: boolean | undefined },
  onSite: (address: string) => void,
): Context {
  const { env, stdout, stderr } = terminal
  const isJson = values.json === true
  const findSite = async (named = values.site ?? env.REELMARK_SITE) => {
    const address = named ? parseSite(named) : (await readConfig(configPath(env))).default_site
    if (address !== null) onSite(address)
    return address
  }
  return {
    terminal,
    isJson,
    print: (json, text) => {
      const output = isJson ? printableJson(json) : text
      if (output !== '') stdout.write(`${output}\n`)
    },
    note: (text) => {
      stderr.write(`${text}\n`)
    },
    findSite,
    openSite: async () => {
      const address = await findSite()
      if (address === null) {
        throw new CommandError('Log in first: reelmark login https://reelmark.example', exitCodes.notLoggedIn)
      }
      const login = (await readConfig(configPath(env))).sites[address]
      if (env.REELMARK_TOKEN) return connectTo(address, env.REELMARK_TOKEN)
      if (login === undefined) {
        throw new CommandError(`Log in first: reelmark login ${address}`, exitCodes.notLoggedIn)
      }
      return connectTo(address, login.token, login.username)
    },
  }
}

function generalHelp(topic: string | undefined): string {
  const command = topic !== undefined && Object.hasOwn(commands, topic) ? commands[topic] : undefined
  if (topic !== undefined && command !== undefined) return commandHelp(topic, command)
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  return `reelmark: save and find bookmarks of a Reelmark site.

Usage: reelmark COMMAND [options]

${lines.join('\n')}

Options of every command:
${commonHelp}

Environment: REELMARK_SITE and REELMARK_TOKEN replace a login, for example in scripts.

Exit codes: ${exitCodes.success} everything succeeded, ${exitCodes.failure} something failed, ${exitCodes.usage} the command is not valid, ${exitCodes.notLoggedIn} not logged in.

See "reelmark COMMAND --help" for the options of a command.
`
}

function commandHelp(name: string, { usage, summary, help }: Command): string {
  return `reelmark ${name}: ${summary}.

Usage: reelmark ${name} ${usage}

${help}
${commonHelp}
`
}
