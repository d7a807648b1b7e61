/** The operator's command line: `npm run admin -- …`. Works beside a running site and without one. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Username } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { hashPassword } from './core/auth/passwords.ts'
import { BackupError, createBackup, restoreBackup } from './core/database/backup.ts'
import { connect, type Sql } from './core/database/database.ts'
import { migrate } from './core/database/migrate.ts'
import { startEmbeddedPostgres } from './core/embedded-postgres/embedded-postgres.ts'
import { openMediaStore } from './core/media/store.ts'
import { readSettings, type Settings, SettingsError } from './core/settings.ts'
import { applyOperatorAction, type OperatorAction } from './features/auth/accounts/operator-queries.ts'
import { createUser, findConflicts } from './features/auth/accounts/queries.ts'
import { passwordProblems } from './features/auth/passwords/rules.ts'
import { syncBannedUserBookmarks } from './features/moderation/sanctions/user-queries.ts'

const usage = `Usage: npm run admin -- COMMAND

  create-user NAME --email E --password P [--moderator] [--verified]
                      make an account
  promote NAME        let somebody moderate
  demote NAME         no longer
  ban NAME            end all their sessions, let them in no more, and show nothing of theirs
  unban NAME          let them in again
  verify NAME         show a badge beside their name
  unverify NAME       no longer
  remove-second-factor NAME
                      for somebody who lost app, passkeys and recovery codes: the password alone lets
                      them in again; make sure that it is them who asks
  backup FILE         write all tables and pictures into one new file; the site may run meanwhile
  restore FILE [--replace]
                      put a backup into an empty database; with --replace, in place of what is there

The database is DATABASE_URL, or the embedded one in DATA_DIR. Exit codes: 0 done, 1 not done, 2 wrong usage.
`

/** What the operator can set right: told in one line. */
class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface Output {
  print(text: string): void
  printError(text: string): void
}

interface AdminContext {
  settings: Settings
  databaseUrl: string
  db: Sql
}

type Command = (context: AdminContext) => Promise<string>

/** Runs one command line and answers its exit code. */
export async function runAdmin(
  words: string[],
  env: Record<string, string | undefined>,
  { print: say, printError: complain }: Output,
): Promise<number> {
  if (words.length === 1 && ['help', '--help', '-h'].includes(words[0] ?? '')) {
    say(usage)
    return 0
  }
  try {
    const command = readCommand(words, env.INIT_CWD ?? process.cwd())
    say(await withAdminContext(readSettings(env), command))
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}\n\n${usage}`)
      return 2
    }
    const isExpected = [OperatorError, BackupError, SettingsError].some((each) => error instanceof each)
    complain(isExpected ? (error as Error).message : String((error as Error).stack ?? error))
    return 1
  }
}

function readCommand(words: string[], folder: string): Command {
  const { name, operand, options } = parse(words)
  switch (name) {
    case 'create-user':
      return (context) => createUserCommand(context, operand, options)
    case 'promote':
    case 'demote':
    case 'ban':
    case 'unban':
    case 'verify':
    case 'unverify':
    case 'remove-second-factor':
      return (context) => runOperatorAction(context, name, operand)
    case 'backup':
      return (context) => createBackupCommand(context, path.resolve(folder, operand))
    case 'restore':
      return (place) => restoreBackupCommand(place, path.resolve(folder, operand), options.replace)
    default:
      throw new UsageError(`There is no command ${name}.`)
  }
}

interface CommandOptions {
  email: string
  password: string
  moderator: boolean
  verified: boolean
  replace: boolean
}

const optionsByCommand: Record<string, (keyof CommandOptions)[]> = {
  'create-user': ['email', 'password', 'moderator', 'verified'],
  restore: ['replace'],
}

function parse(words: string[]): { name: string; operand: string; options: CommandOptions } {
  let parsed: ReturnType<typeof parseWords>
  try {
    parsed = parseWords(words)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const [name, operand, ...more] = parsed.positionals
  if (name === undefined) throw new UsageError('Which command?')
  if (operand === undefined || more.length > 0) throw new UsageError(`${name} takes one name or file.`)
  const given = Object.keys(parsed.values) as (keyof CommandOptions)[]
  const stray = given.find((option) => !optionsByCommand[name]?.includes(option))
  if (stray !== undefined) throw new UsageError(`${name} takes no --${stray}.`)
  const { email = '', password = '', moderator = false, verified = false, replace = false } = parsed.values
  if (name === 'create-user' && (email === '' || password === '')) {
    throw new UsageError('create-user needs --email and --password.')
  }
  return { name, operand, options: { email, password, moderator, verified, replace } }
}

function parseWords(words: string[]) {
  return parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      password: { type: 'string' },
      moderator: { type: 'boolean' },
      verified: { type: 'boolean' },
      replace: { type: 'boolean' },
    },
  })
}

/** Connects to the database of the settings, migrated; the embedded one is started, or joined where the site runs. */
async function withAdminContext(settings: Settings, command: Command): Promise<string> {
  const quiet = { info() {}, warn() {} }
  const embedded =
    settings.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: quiet })
      : null
  const databaseUrl = embedded?.url ?? settings.databaseUrl ?? ''
  try {
    await migrate(databaseUrl)
    const db = connect(databaseUrl, { max: 2, applicationName: 'reelmark admin' })
    try {
      return await command({ settings, databaseUrl, db })
    } finally {
      await db.end({ timeout: 5 })
    }
  } finally {
    await embedded?.stop()
  }
}

async function createUserCommand(
  { db }: AdminContext,
  username: string,
  options: CommandOptions,
): Promise<string> {
  const { email, password, moderator, verified } = options
  const problems = [...nameProblems(username, email), ...lengthProblems(password)]
  problems.push(...passwordProblems(password, { username, email }))
  if (problems.length > 0) throw new OperatorError(problems.join('\n'))
  const password_hash = await hashPassword(password)
  const created = await db.begin(async (tx) => {
    const user = await createUser(tx, { username, email, password_hash })
    if (user === null) return null
    await tx`update users set is_moderator = ${moderator}, is_verified = ${verified} where id = ${user.id}`
    return user
  })
  if (created === null) {
    const taken = await findConflicts(db, { username, email })
    throw new OperatorError(`Somebody has that ${taken.username ? 'name' : 'email address'} already.`)
  }
  return `Made ${created.username}${moderator ? ', a moderator' : ''}${verified ? ', verified' : ''}.`
}

function nameProblems(username: string, email: string): string[] {
  const { usernameMin: min, usernameMax: max } = limits
  const { pattern = '' } = Username as { pattern?: string }
  const isName = new RegExp(pattern).test(username) && username.length >= min && username.length <= max
  const isEmail = /^[^@\s]+@[^@\s]+$/.test(email) && email.length <= limits.emailMax
  return [
    ...(isName
      ? []
      : [`A name has ${min} to ${max} of A-Z a-z 0-9 _ . - and starts with a letter or digit.`]),
    ...(isEmail ? [] : [`${email} is no email address.`]),
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
  const user = await applyOperatorAction(db, action, name)
  if (user === null) throw new OperatorError(`There is nobody called ${name}.`)
  if (action === 'ban' || action === 'unban') await syncBannedUserBookmarks(db, user.id)
  const { username } = user
  return {
    promote: `${username} is a moderator.`,
    demote: `${username} is no moderator.`,
    ban: `${username} is banned, signed out everywhere, and nothing of theirs is shown.`,
    unban: `${username} may come in again.`,
    verify: `${username} has a badge.`,
    unverify: `${username} has no badge.`,
    'remove-second-factor': `${username} logs in by the password alone.`,
  }[action]
}

async function createBackupCommand({ settings, databaseUrl }: AdminContext, file: string): Promise<string> {
  const media = settings.s3Url === null ? path.join(settings.dataDir, 'media') : null
  const { tables, rows, pictures, bytes } = await createBackup(databaseUrl, media, file)
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`
  const elsewhere = media === null ? ' The pictures in S3 are not in it.' : ''
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
      `The database is not empty: it has ${users.count} users. Add --replace to put the backup in its place.`,
    )
  }
  const { tables, rows, pictures } = await restoreBackup(databaseUrl, openMediaStore(settings), file)
  return `Restored ${rows} rows of ${tables} tables and ${pictures} pictures. Everybody signs in again.`
}

if (import.meta.main) {
  process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  })
}
