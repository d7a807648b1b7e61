/** The commands of the operator's command line. Each returns the text that is printed. */
import path from 'node:path'
import { Username } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { DestinationStream } from 'pino'
import { hashPassword } from './core/auth/passwords.ts'
import { rotateKeys } from './core/auth/rotate-keys.ts'
import { keyInventory } from './core/auth/server-keys.ts'
import { createBackup, restoreBackup } from './core/database/backup.ts'
import { connect, type Sql } from './core/database/database.ts'
import { announceUnknownChange } from './core/http/cache-changes.ts'
import { mediaType, openMediaStore } from './core/media/store.ts'
import type { Settings } from './core/settings.ts'
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
import { checkMedia } from './media-check.ts'

/** An error that the operator can resolve, printed as one line. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

export interface Terminal {
  print(text: string): void
  printError(text: string): void
  readPassword(): Promise<string>
  /** Where the security log is written; by default standard error. */
  logStream?: DestinationStream
}

export interface AdminContext {
  settings: Settings
  databaseUrl: string
  /** For the role of the application, which owns the jobs. */
  appUrl: string
  db: Sql
  terminal: Terminal
}

export type Command = (context: AdminContext) => Promise<string>

export interface CommandOptions {
  email: string
  /** Empty: it is read from standard input. */
  password: string
  moderator: boolean
  owner: boolean
  verified: boolean
  replace: boolean
  repair: boolean
}

export async function createUserCommand(
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

export async function runOperatorAction(
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

export async function removeMediaCommand({ db, settings }: AdminContext, address: string): Promise<string> {
  const key = address.slice(address.lastIndexOf('/') + 1)
  if (mediaType(key) === null) throw new OperatorError(`${address} is not the key of a picture.`)
  const removed = await removePicture({ db, media: openMediaStore(settings) }, key)
  if (removed === null) throw new OperatorError(`There is no picture ${key}.`)
  await announceUnknownChange(db)
  const users = removed.map(({ target_kind, target_id }) => `${target_kind} ${target_id}`).join(', ')
  return `Deleted ${key}${users === '' ? '; nothing showed it' : ` of ${users}, in all sizes`}. Browsers may show it for a day.`
}

export async function checkMediaCommand({ db, settings }: AdminContext, repair: boolean): Promise<string> {
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

export async function mergeDuplicatesCommand({ db }: AdminContext): Promise<string> {
  await restartScan(db)
  const { compared, merged, renamed } = await scanVideos(db, { seconds: Number.POSITIVE_INFINITY })
  await mergeVideos(db, { seconds: Number.POSITIVE_INFINITY })
  await announceUnknownChange(db)
  return `Compared ${compared} videos: ${merged} are merged with another one, ${renamed} have another canonical link.`
}

export async function endAllSessionsCommand({ db }: AdminContext, name: string): Promise<string> {
  const count = await endAllSessions(db, name === '' ? null : name)
  if (count === null) throw new OperatorError(`There is no user called ${name}.`)
  return `Ended ${count} ${count === 1 ? 'session' : 'sessions'}${name === '' ? ' of all users' : ` of ${name}`}.`
}

export async function rotateKeysCommand({ appUrl }: AdminContext, names: string[]): Promise<string> {
  const db = connect(appUrl, { max: 1, applicationName: 'reelmark admin' })
  try {
    const rotated = await rotateKeys(db, names)
    const effects = rotated.map((name) => `  ${name}: ${keyInventory[name].onRotation}`)
    return `Replaced ${rotated.length} keys. What users notice:\n${effects.join('\n')}`
  } finally {
    await db.end({ timeout: 5 })
  }
}

export async function createBackupCommand(
  { settings, databaseUrl }: AdminContext,
  file: string,
): Promise<string> {
  const media = settings.s3Url === null ? path.join(settings.dataDir, 'media') : null
  const { tables, rows, pictures, bytes } = await createBackup(databaseUrl, media, file)
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`
  const elsewhere = media === null ? ' Pictures in S3 are not included.' : ''
  return `${file}: ${rows} rows of ${tables} tables and ${pictures} pictures, ${size}.${elsewhere}`
}

export async function restoreBackupCommand(
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
