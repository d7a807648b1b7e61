/** The operator's command line: `npm run admin -- …`. It can be used whether or not the site is running. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { destination } from 'pino'
import {
  type Command,
  type CommandOptions,
  checkMediaCommand,
  createBackupCommand,
  createUserCommand,
  endAllSessionsCommand,
  mergeDuplicatesCommand,
  OperatorError,
  removeMediaCommand,
  restoreBackupCommand,
  rotateKeysCommand,
  runOperatorAction,
  type Terminal,
} from './admin-commands.ts'
import { KeyRotationError } from './core/auth/rotate-keys.ts'
import { roleOf } from './core/database/app-role.ts'
import { BackupError } from './core/database/backup.ts'
import { connect } from './core/database/database.ts'
import { migrate } from './core/database/migrate.ts'
import { startEmbeddedPostgres } from './core/embedded-postgres/embedded-postgres.ts'
import { openLog } from './core/log.ts'
import { StoreError } from './core/media/store-error.ts'
import { RefusedCertificate } from './core/refused-certificate.ts'
import { logOperatorAction } from './core/security-log.ts'
import { readSettings, type Settings, SettingsError } from './core/settings.ts'
import { StoreIsEmptyError } from './media-check.ts'
import { readPassword } from './read-password.ts'

const usage = `Usage: npm run admin -- COMMAND

  create-user NAME --email E [--moderator | --owner] [--verified]
                      create an account; the password is read from standard input (for scripts
                      also --password P, which other users of the machine can see)
  promote NAME [--owner]
                      make a user a moderator, or an owner, who appoints moderators
  demote NAME         make a moderator or an owner a normal user again; the last owner stays
  ban NAME            end all sessions of a user, refuse logins and hide their content
  unban NAME          lift a ban
  verify NAME         give a user the verified badge
  unverify NAME       remove the verified badge
  remove-second-factor NAME
                      for a user who lost app, passkeys and recovery codes: the password alone is
                      enough to log in afterwards; verify their identity first
  remove-media KEY    delete a stored picture at once; KEY is the last part of its address
  media check [--repair]
                      compare the stored pictures with the rows that use them; --repair deletes what
                      no row uses and has missing thumbnails fetched again
  merge-duplicates    compare the links of all videos with the rules of this version again, and merge
                      those that are the same video; the site can keep running
  end-all-sessions [NAME]
                      log out a user on every device, or all users without a NAME
  rotate-keys [KEY …]  replace the named server keys, or all; stop the site first
  backup FILE         write all tables and pictures to a new file; the site can keep running
  restore FILE [--replace]
                      restore a backup into an empty database; --replace deletes existing data first

The database is DATABASE_URL, or the embedded one in DATA_DIR. Exit codes: 0 success, 1 failure, 2 invalid usage.
`

class UsageError extends Error {
  override readonly name = 'UsageError'
}
/** Errors that are printed as one line. */
const expectedErrors = [
  OperatorError,
  BackupError,
  KeyRotationError,
  SettingsError,
  StoreIsEmptyError,
  RefusedCertificate,
  StoreError,
]

/** Runs a command line and returns its exit code. */
export async function runAdmin(
  args: string[],
  env: Record<string, string | undefined>,
  terminal: Terminal,
): Promise<number> {
  const { print, printError } = terminal
  if (args.length === 1 && ['help', '--help', '-h'].includes(args[0] ?? '')) {
    print(usage)
    return 0
  }
  try {
    const parsed = parse(args)
    const command = readCommand(parsed, env.INIT_CWD ?? process.cwd())
    const settings = readSettings(env)
    const securityLog = openLog(settings, terminal.logStream ?? destination(2))
    const action = { command: [parsed.name, ...parsed.flags].join(' '), target: parsed.operand }
    try {
      print(await withAdminContext(settings, terminal, command))
    } catch (error) {
      logOperatorAction(securityLog, { ...action, outcome: 'failed' })
      throw error
    }
    logOperatorAction(securityLog, { ...action, outcome: 'success' })
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      printError(`${error.message}\n\n${usage}`)
      return 2
    }
    const isExpected = expectedErrors.some((type) => error instanceof type)
    printError(isExpected ? (error as Error).message : String((error as Error).stack ?? error))
    return 1
  }
}

function readCommand({ name, operand, options }: ParsedCommand, folder: string): Command {
  switch (name) {
    case 'create-user':
      return (context) => createUserCommand(context, operand, options)
    case 'promote':
      return (context) => runOperatorAction(context, options.owner ? 'make-owner' : 'promote', operand)
    case 'demote':
    case 'ban':
    case 'unban':
    case 'verify':
    case 'unverify':
    case 'remove-second-factor':
      return (context) => runOperatorAction(context, name, operand)
    case 'remove-media':
      return (context) => removeMediaCommand(context, operand)
    case 'media':
      if (operand !== 'check') throw new UsageError(`Unknown command media ${operand}.`)
      return (context) => checkMediaCommand(context, options.repair)
    case 'merge-duplicates':
      if (operand !== '') throw new UsageError('merge-duplicates takes no operand.')
      return mergeDuplicatesCommand
    case 'end-all-sessions':
      return (context) => endAllSessionsCommand(context, operand)
    case 'rotate-keys':
      return (context) => rotateKeysCommand(context, operand === '' ? [] : operand.split(' '))
    case 'backup':
      return (context) => createBackupCommand(context, path.resolve(folder, operand))
    case 'restore':
      return (context) => restoreBackupCommand(context, path.resolve(folder, operand), options.replace)
    default:
      throw new UsageError(`Unknown command ${name}.`)
  }
}

const optionsByCommand: Record<string, (keyof CommandOptions)[]> = {
  'create-user': ['email', 'password', 'moderator', 'owner', 'verified'],
  promote: ['owner'],
  restore: ['replace'],
  media: ['repair'],
}

interface ParsedCommand {
  name: string
  /** Empty if it was left out. */
  operand: string
  options: CommandOptions
  /** The options without a value, such as `--owner`. The others contain an address or a password. */
  flags: string[]
}

function parse(args: string[]): ParsedCommand {
  let parsed: ReturnType<typeof parseWords>
  try {
    parsed = parseWords(args)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const [name, first, ...others] = parsed.positionals
  if (name === undefined) throw new UsageError('No command given.')
  const isList = name === 'rotate-keys'
  const [operand, more] = isList ? [parsed.positionals.slice(1).join(' '), []] : [first, others]
  const isOperandMissing = operand === undefined && !['end-all-sessions', 'merge-duplicates'].includes(name)
  if (isOperandMissing || more.length > 0) throw new UsageError(`${name} takes one username, key or file.`)
  const usedOptions = Object.keys(parsed.values) as (keyof CommandOptions)[]
  const unknownOption = usedOptions.find((option) => !optionsByCommand[name]?.includes(option))
  if (unknownOption !== undefined) throw new UsageError(`${name} does not take --${unknownOption}.`)
  const { email = '', password = '', verified = false, owner = false } = parsed.values
  const { replace = false, repair = false } = parsed.values
  const moderator = owner || parsed.values.moderator === true
  if (name === 'create-user' && email === '') throw new UsageError('create-user requires --email.')
  return {
    name,
    operand: operand ?? '',
    options: { email, password, moderator, owner, verified, replace, repair },
    flags: usedOptions.filter((option) => parsed.values[option] === true).map((option) => `--${option}`),
  }
}

function parseWords(args: string[]) {
  return parseArgs({
    args: args,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      password: { type: 'string' },
      moderator: { type: 'boolean' },
      owner: { type: 'boolean' },
      verified: { type: 'boolean' },
      replace: { type: 'boolean' },
      repair: { type: 'boolean' },
    },
  })
}

/** Runs a command with the migrated database of the settings. Starts the embedded database if it is not running. */
async function withAdminContext(settings: Settings, terminal: Terminal, command: Command): Promise<string> {
  const quiet = { info() {}, warn() {} }
  const embedded =
    settings.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: quiet })
      : null
  const appUrl = embedded?.url ?? settings.databaseUrl ?? ''
  const databaseUrl = embedded?.ownerUrl ?? settings.databaseOwnerUrl ?? appUrl
  try {
    await migrate(databaseUrl, { appRole: roleOf(appUrl) })
    const db = connect(databaseUrl, { max: 2, applicationName: 'reelmark admin' })
    try {
      return await command({ settings, databaseUrl, appUrl, db, terminal })
    } finally {
      await db.end({ timeout: 5 })
    }
  } finally {
    await embedded?.stop()
  }
}

if (import.meta.main) {
  process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
    readPassword,
  })
}
