/** Rules of import and export: matching with existing data, timestamps, file names. No I/O. */
import { defaultPrivacy, type PrivacySettings } from '@reelmark/contract/privacy-settings.ts'
import { settingFlags } from '@reelmark/contract/profiles.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { privacyNames } from '../../shared/user-columns.ts'
import type { ExportFile } from './export-queries.ts'

/** Returns the name of a file, for example `reelmark-alice-2026-11-21.json`. Usernames contain no special characters. */
export function exportFileName(
  { username, finished_at, format, source_id }: Omit<ExportFile, 'size' | 'with_pictures'>,
  extension: string = format,
): string {
  const source = source_id === null ? '' : `-collection-${source_id}`
  return `reelmark-${username}${source}-${finished_at.toISOString().slice(0, 10)}.${extension}`
}

/**
 * Returns a time of the file as PostgreSQL reads it, with microseconds, limited to the range from 1970 to now: a bookmark
 * from the future would stay at the top of every list.
 * @param text an RFC 3339 date-time, which may have a leap second or an offset that PostgreSQL does not accept
 */
export function clampTimestamp(text: string, now: number): string {
  const parsed = Date.parse(
    text
      .toUpperCase()
      .replace(' ', 'T')
      .replace(/:60(?=[.Z+-])/, ':59'),
  )
  const at = Number.isNaN(parsed) ? now : Math.min(Math.max(parsed, 0), now)
  const micros = at === parsed ? (/\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '') : ''
  return new Date(at).toISOString().replace('Z', `${micros}Z`)
}

export interface ExistingCollection {
  id: number
  name: string
  access: BookmarkAccess
  /** Whether it has no bookmarks, not even in the trash. */
  is_empty: boolean
  is_watch_later?: boolean
}

/**
 * Returns for each collection of the file the existing one it matches, or null: the first with the same name and access
 * that is not matched yet. The file's Watch Later matches the existing one whatever its name. An empty collection (such as
 * that of a new account) may also be made private. A private collection never matches another public one or vice versa.
 * @param existing the user's collections in their order
 */
export function matchCollections(
  collections: readonly { name: string; access: BookmarkAccess; is_watch_later?: boolean }[],
  existing: readonly ExistingCollection[],
): (ExistingCollection | null)[] {
  const watchLaterIndex = collections.findIndex((collection) => collection.is_watch_later)
  const access = collections[watchLaterIndex]?.access
  const watchLater = existing.find((found) => found.is_watch_later && found.access === access) ?? null
  const available = Map.groupBy(
    existing.filter((found) => found !== watchLater),
    ({ name }) => name,
  )
  return collections.map(({ name, access }, index) => {
    if (index === watchLaterIndex && watchLater !== null) return watchLater
    const named = available.get(name) ?? []
    const same = named.findIndex((found) => found.access === access)
    const matchIndex =
      same !== -1 ? same : named.findIndex((found) => found.is_empty && found.access === 'public')
    return matchIndex === -1 ? null : (named.splice(matchIndex, 1)[0] ?? null)
  })
}

/** Matches channels of one collection by name, each once. */
export function matchChannels<C extends { name: string }>(
  channels: readonly { name: string }[],
  existing: readonly C[],
): (C | null)[] {
  const available = Map.groupBy(existing, ({ name }) => name)
  return channels.map(({ name }) => available.get(name)?.shift() ?? null)
}

type TransferSettings = Omit<TransferFile['profile'], 'default_bookmark_collection'>

/** Returns the profile after an import: settings that the user never changed are taken from the file. */
export function mergeProfile(
  existing: Required<TransferSettings>,
  file: TransferSettings,
): Required<TransferSettings> {
  return {
    ...existing,
    bio: existing.bio === '' ? file.bio : existing.bio,
    default_bookmark_orientation:
      existing.default_bookmark_orientation === 'sfw'
        ? file.default_bookmark_orientation
        : existing.default_bookmark_orientation,
    notify_by_email:
      existing.notify_by_email === 'off' ? (file.notify_by_email ?? 'off') : existing.notify_by_email,
    is_history_paused: existing.is_history_paused || (file.is_history_paused ?? false),
    ...mergePrivacy(existing, file),
    ...Object.fromEntries(settingFlags.map((flag) => [flag, existing[flag] && (file[flag] ?? true)])),
  }
}

function mergePrivacy(existing: PrivacySettings, file: Partial<PrivacySettings>): Partial<PrivacySettings> {
  const unchanged = privacyNames.filter((name) => existing[name] === defaultPrivacy[name])
  return Object.fromEntries(unchanged.map((name) => [name, file[name] ?? defaultPrivacy[name]]))
}
