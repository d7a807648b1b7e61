/** The operator's command line: `npm run admin -- …`. It can be used whether or not the site is running. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Username } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type DestinationStream, destination } from 'pino'
import { hashPassword } from './core/auth/passwords.ts'
import { KeyRotationError, rotateKeys } from './core/auth/rotate-keys.ts'
import { keyInventory } from './core/auth/server-keys.ts'
import { roleOf } from './core/database/app-role.ts'
import { BackupError, createBackup, restoreBackup } from './core/database/backup.ts'
import { connect, type Sql } from './core/database/database.ts'
import { migrate } from './core/database/migrate.ts'
import { startEmbeddedPostgres } from './core/embedded-postgres/embedded-postgres.ts'
import { announceUnknownChange } from './core/http/cache-changes.ts'
import { openLog } from './core/log.ts'
import { mediaType, openMediaStore } from './core/media/store.ts'
import { StoreError } from './core/media/store-error.ts'
import { RefusedCertificate } from './core/refused-certificate.ts'
import { logOperatorAction } from './core/security-log.ts'
import { readSettings, type Settings, SettingsError } from './core/settings.ts'
import {
  applyOperatorAction,
  createUserWithRights,
  endAllSessions,
  isLastOwnerError,
  type OperatorAction,
} from './features/auth/accounts/operator-queries.ts'
import { findConflicts } from './features/auth/accounts/queries.ts'
import { passwordProblems } from './features/auth/passwords/rules.ts'
import { mergeVideos } from './features/bookmarks/merge/merge-videos.ts'
import { restartScan, scanVideos } from './features/bookmarks/merge/scan-videos.ts'
import { removePicture } from './features/moderation/decisions/remove-pictures.ts'
import { syncBannedUserBookmarks } from './features/moderation/sanctions/user-queries.ts'
import { checkMedia, StoreIsEmptyError } from './media-check.ts'
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

/** An error that the operator can resolve, printed as one line. */
class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
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

interface Terminal {
  print(text: string): void
  printError(text: string): void
  readPassword(): Promise<string>
  /** Where the security log is written; by default standard error. */
  logStream?: DestinationStream
}

interface AdminContext {
  settings: Settings
  databaseUrl: string
  /** For the role of the application, which owns the jobs. */
  appUrl: string
  db: Sql
  terminal: Terminal
}

type Command = (context: AdminContext) => Promise<string>

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

interface CommandOptions {
  email: string
  /** Empty: it is read from standard input. */
  password: string
  moderator: boolean
  owner: boolean
  verified: boolean
  replace: boolean
  repair: boolean
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

async function createUserCommand(
  { settings, db, terminal }: AdminContext,
  username: string,
  options: CommandOptions,
): Promise<string> {
  const { email, moderator, owner, verified } = options
  if (options.password !== '') {
    terminal.printError(
      'Warning: other users of this machine can see --password. Use standard input instead.',
    )
  }
  const password = options.password === '' ? await terminal.readPassword() : options.password
  const problems = [...nameProblems(username, email), ...lengthProblems(password)]
  problems.push(...passwordProblems(password, { username, email, publicUrl: settings.publicUrl }))
  if (problems.length > 0) throw new OperatorError(problems.join('\n'))
  const password_hash = await hashPassword(password)
  const rights = { is_moderator: moderator, is_owner: owner, is_verified: verified }
  const created = await createUserWithRights(db, { username, email, password_hash }, rights)
  if (created === null) {
    const taken = await findConflicts(db, { username, email })
    throw new OperatorError(`The ${taken.username ? 'username' : 'email address'} is already taken.`)
  }
  const role = owner ? ', owner' : moderator ? ', moderator' : ''
  return `Created ${created.username}${role}${verified ? ', verified' : ''}.`
}

function nameProblems(username: string, email: string): string[] {
  const { usernameMin: min, usernameMax: max } = limits
  const { pattern = '' } = Username as { pattern?: string }
  const isName = new RegExp(pattern).test(username) && username.length >= min && username.length <= max
  const isEmail = /^[^@\s]+@[^@\s]+$/.test(email) && email.length <= limits.emailMax
  return [
    ...(isName
      ? []
      : [
          `A username has ${min} to ${max} characters (A-Z a-z 0-9 _ . -) and starts with a letter or digit.`,
        ]),
    ...(isEmail ? [] : [`${email} is not an email address.`]),
  ]
}

function lengthProblems(password: string): string[] {
  const length = [...password].length
  return length >= limits.passwordMin && length <= limits.passwordMax
    ? []
    : [`A password has ${limits.passwordMin} to ${limits.passwordMax} characters.`]
}

async function runOperatorAction(
  { db }: AdminContext,
  action: OperatorAction,
  name: string,
): Promise<string> {
  const user = await applyOperatorAction(db, action, name).catch((error: unknown) => {
    if (!isLastOwnerError(error)) throw error
    throw new OperatorError(
      `${name} is the only owner. Make another user an owner first: promote NAME --owner`,
    )
  })
  if (user === null) throw new OperatorError(`There is no user called ${name}.`)
  if (action === 'ban' || action === 'unban') await syncBannedUserBookmarks(db, user.id)
  await announceUnknownChange(db)
  const { username } = user
  return {
    promote: `${username} is now a moderator.`,
    'make-owner': `${username} is now an owner.`,
    demote: `${username} is no longer a moderator.`,
    ban: `${username} is banned. All their sessions were ended, and their content is hidden.`,
    unban: `${username} is no longer banned.`,
    verify: `${username} now has the verified badge.`,
    unverify: `${username} no longer has the verified badge.`,
    'remove-second-factor': `The second factors of ${username} were removed. The password alone is enough to log in.`,
  }[action]
}

async function removeMediaCommand({ db, settings }: AdminContext, address: string): Promise<string> {
  const key = address.slice(address.lastIndexOf('/') + 1)
  if (mediaType(key) === null) throw new OperatorError(`${address} is not the key of a picture.`)
  const removed = await removePicture({ db, media: openMediaStore(settings) }, key)
  if (removed === null) throw new OperatorError(`There is no picture ${key}.`)
  await announceUnknownChange(db)
  const users = removed.map(({ target_kind, target_id }) => `${target_kind} ${target_id}`).join(', ')
  return `Deleted ${key}${users === '' ? '; nothing showed it' : ` of ${users}, in all sizes`}. Browsers may show it for a day.`
}

async function checkMediaCommand({ db, settings }: AdminContext, repair: boolean): Promise<string> {
  const { found, missing, unused } = await checkMedia({ db, media: openMediaStore(settings) }, { repair })
  const rows = `${missing.videos} videos, ${missing.bookmarks} bookmarks and ${missing.users} users`
  const lost = missing.videos + missing.bookmarks + missing.users > 0
  if (!repair) {
    const advice = lost || unused > 0 ? ' Add --repair to repair this.' : ''
    return `${found} pictures are stored. Missing: those of ${rows}. Unused: ${unused} pictures.${advice}`
  }
  if (lost) await announceUnknownChange(db)
  const next = lost ? ' The site fetches their thumbnails again; uploaded pictures are lost.' : ''
  return `${found} pictures are stored. Missing were those of ${rows}.${next} Deleted ${unused} unused pictures.`
}

async function mergeDuplicatesCommand({ db }: AdminContext): Promise<string> {
  await restartScan(db)
  const { compared, merged, renamed } = await scanVideos(db, { seconds: Number.POSITIVE_INFINITY })
  await mergeVideos(db, { seconds: Number.POSITIVE_INFINITY })
  await announceUnknownChange(db)
  return `Compared ${compared} videos: ${merged} are merged with another one, ${renamed} have another canonical link.`
}

async function endAllSessionsCommand({ db }: AdminContext, name: string): Promise<string> {
  const count = await endAllSessions(db, name === '' ? null : name)
  if (count === null) throw new OperatorError(`There is no user called ${name}.`)
  return `Ended ${count} ${count === 1 ? 'session' : 'sessions'}${name === '' ? ' of all users' : ` of ${name}`}.`
}

async function rotateKeysCommand({ appUrl }: AdminContext, names: string[]): Promise<string> {
  const db = connect(appUrl, { max: 1, applicationName: 'reelmark admin' })
  try {
    const rotated = await rotateKeys(db, names)
    const effects = rotated.map((name) => `  ${name}: ${keyInventory[name].onRotation}`)
    return `Replaced ${rotated.length} keys. What users notice:\n${effects.join('\n')}`
  } finally {
    await db.end({ timeout: 5 })
  }
}

async function createBackupCommand({ settings, databaseUrl }: AdminContext, file: string): Promise<string> {
  const media = settings.s3Url === null ? path.join(settings.dataDir, 'media') : null
  const { tables, rows, pictures, bytes } = await createBackup(databaseUrl, media, file)
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`
  const elsewhere = media === null ? ' Pictures in S3 are not included.' : ''
  return `${file}: ${rows} rows of ${tables} tables and ${pictures} pictures, ${size}.${elsewhere}`
}

async function restoreBackupCommand(
  { db, settings, databaseUrl }: AdminContext,
  file: string,
  replace: boolean,
): Promise<string> {
  const [users] = await db<[{ count: number }]>`select count(*) from users`
  if (users.count > 0 && !replace) {
    throw new OperatorError(
      `The database is not empty: it has ${users.count} users. Add --replace to delete its data and restore the backup.`,
    )
  }
  const { tables, rows, pictures } = await restoreBackup(databaseUrl, openMediaStore(settings), file)
  return `Restored ${rows} rows of ${tables} tables and ${pictures} pictures. All users must log in again.`
}

if (import.meta.main) {
  process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
    readPassword,
  })
}
