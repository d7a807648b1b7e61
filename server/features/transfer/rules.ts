/** What an import makes of a file, and what a file is called: pure. */
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import type { Import, TransferFile } from '@reelmark/contract/transfer.ts'

export type Problem = Import['problems'][number]

/** `reelmark-alice-2026-11-21.json`; a username holds nothing that a header or a disk could stumble over. */
export function exportFileName({ username, finished_at }: { username: string; finished_at: Date }): string {
  return `reelmark-${username}-${finished_at.toISOString().slice(0, 10)}.json`
}

/**
 * A time of the file as PostgreSQL reads it, to the microsecond: not in the future (nothing was saved tomorrow, and it
 * would stand first for ever) and not before 1970.
 * @param text a date-time by RFC 3339, which may have a leap second or an offset that PostgreSQL does not know
 */
export function clampTimestamp(text: string, now: number): string {
  const given = Date.parse(
    text
      .toUpperCase()
      .replace(' ', 'T')
      .replace(/:60(?=[.Z+-])/, ':59'),
  )
  const at = Number.isNaN(given) ? now : Math.min(Math.max(given, 0), now)
  const micros = at === given ? (/\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '') : ''
  return new Date(at).toISOString().replace('Z', `${micros}Z`)
}

export interface ExistingCollection {
  id: number
  name: string
  access: BookmarkAccess
  /** No bookmark is in it, also none in the trash. */
  is_empty: boolean
  is_watch_later?: boolean
}

/**
 * Which of the collections that are here each of the file's is: the first of the same name and access that is not
 * taken; of the file's Watch Later it is ours, whatever it is called. One that holds nothing (the vault of a new account) may also be made private for it. What is private in the
 * file never goes where it would be public, nor the other way round.
 * @param here in their order
 */
export function matchCollections(
  wanted: readonly { name: string; access: BookmarkAccess; is_watch_later?: boolean }[],
  here: readonly ExistingCollection[],
): (ExistingCollection | null)[] {
  const at = wanted.findIndex((each) => each.is_watch_later)
  const access = wanted[at]?.access
  const later = here.find((each) => each.is_watch_later && each.access === access) ?? null
  const free = Map.groupBy(
    here.filter((each) => each !== later),
    ({ name }) => name,
  )
  return wanted.map(({ name, access }, index) => {
    if (index === at && later !== null) return later
    const named = free.get(name) ?? []
    const same = named.findIndex((each) => each.access === access)
    const matchIndex =
      same !== -1 ? same : named.findIndex((each) => each.is_empty && each.access === 'public')
    return matchIndex === -1 ? null : (named.splice(matchIndex, 1)[0] ?? null)
  })
}

/** Likewise channels, of one collection: by name, each once. */
export function matchChannels<C extends { name: string }>(
  wanted: readonly { name: string }[],
  here: readonly C[],
): (C | null)[] {
  const free = Map.groupBy(here, ({ name }) => name)
  return wanted.map(({ name }) => free.get(name)?.shift() ?? null)
}

type TransferSettings = Omit<TransferFile['profile'], 'default_bookmark_collection'>

/** What of a profile was never set here, and so is taken from the file. */
export function mergeProfile(
  here: Required<TransferSettings>,
  file: TransferSettings,
): Required<TransferSettings> {
  const flags = [
    'notify_on_follow',
    'notify_on_own_video_bookmarked',
    'notify_on_new_bookmark_from_followed_user',
    'notify_on_own_video_liked',
  ] as const
  return {
    ...here,
    bio: here.bio === '' ? file.bio : here.bio,
    default_bookmark_orientation:
      here.default_bookmark_orientation === 'sfw'
        ? file.default_bookmark_orientation
        : here.default_bookmark_orientation,
    notify_by_email: here.notify_by_email === 'off' ? (file.notify_by_email ?? 'off') : here.notify_by_email,
    ...Object.fromEntries(flags.map((flag) => [flag, here[flag] && file[flag]])),
  }
}

/** How a problem names what it is about; a link may be very long. */
export function describeProblem(what: string, why: string): Problem {
  return { what: what.length > 300 ? `${what.slice(0, 299).toWellFormed()}…` : what, why }
}
