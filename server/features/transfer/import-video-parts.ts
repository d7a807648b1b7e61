/** Imports parts with what belongs to videos: bookmarks, notes, likes, watched marks and positions. */
import {
  type BookmarkImport,
  type BookmarkOutcome,
  importBookmarks,
  importNotes,
  requestMetadata,
} from '../bookmarks/public-api.ts'
import { titleFromLink } from './foreign-items.ts'
import { findImportedContainers } from './import-collections.ts'
import type { Item, PartContext } from './import-items.ts'
import { assignPictures } from './import-pictures.ts'
import type { ItemOutcome } from './import-report.ts'
import {
  findVideos,
  importLikes,
  importPositions,
  importWatched,
  isHistoryPaused,
} from './import-user-data.ts'
import { created, known, outcomesById, rejected, skipped } from './item-outcomes.ts'
import { clampTimestamp } from './rules.ts'

export async function importBookmarkPart(
  { needs, tx, claim }: PartContext,
  items: readonly Item<'bookmarks'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const containers = await findImportedContainers(tx, claim, [
    ...new Set(items.map(({ collection }) => collection)),
  ])
  const destinations = new Map(
    containers.map((container) => [`${container.collection} ${container.channel}`, container]),
  )
  const bookmarks: (BookmarkImport & Pick<Item<'bookmarks'>, 'picture'>)[] = []
  const isContained = items.map((item) => {
    const container = destinations.get(`${item.collection} ${item.channel}`)
    if (container === undefined) return false
    bookmarks.push({
      ...item,
      private_note: item.private_note ?? '',
      created_at: clampTimestamp(item.created_at, now),
      collection_id: container.collection_id,
      channel_id: container.channel_id,
    })
    return true
  })
  const imported = await importBookmarks(tx, needs, claim.user_id, bookmarks)
  // Our own file contains what was found when its bookmarks were saved.
  if (claim.detected !== null) await requestMissing(tx, claim.id, bookmarks, imported)
  await assignPictures(tx, claim.id, namedPictures(bookmarks, imported))
  const outcomes = imported.values()
  return items.map(({ channel }, index) => {
    const outcome = isContained[index] ? outcomes.next().value : undefined
    if (outcome !== undefined) return describeBookmark(outcome)
    return rejected(
      `Its ${channel === null ? 'collection' : 'channel'} is missing from the file or couldn't be imported.`,
    )
  })
}

/** Returns the names of the pictures in the zip file that belong to new bookmarks. */
function namedPictures(
  bookmarks: readonly { picture?: string | null }[],
  outcomes: readonly BookmarkOutcome[],
): { name: string; bookmark_id: number }[] {
  return bookmarks.flatMap(({ picture }, index) => {
    const outcome = outcomes[index]
    return outcome?.outcome === 'added' && picture != null ? [{ name: picture, bookmark_id: outcome.id }] : []
  })
}

/** Queues the new bookmarks for the job that fills in what the file does not contain. */
async function requestMissing(
  tx: PartContext['tx'],
  importId: number,
  bookmarks: readonly BookmarkImport[],
  outcomes: readonly BookmarkOutcome[],
): Promise<void> {
  const added = bookmarks.flatMap(({ title, video }, index) => {
    const outcome = outcomes[index]
    if (outcome?.outcome !== 'added') return []
    return [{ bookmark_id: outcome.id, link_title: title === titleFromLink(video.source_url) ? title : null }]
  })
  await requestMetadata(tx, importId, added)
}

function describeBookmark(bookmark: BookmarkOutcome): ItemOutcome {
  if (bookmark.outcome === 'duplicate') return known
  if (bookmark.outcome === 'refused') return rejected(bookmark.reason)
  const { id, held, changed_orientation } = bookmark
  if (held) return { ...created(id), outcome: 'held', reason: 'It will be public after a quick review.' }
  if (changed_orientation === null) return created(id)
  const reason = "Its site is for adults, so it got your default orientation instead of 'sfw'."
  return { ...created(id), outcome: 'changed', reason }
}

export async function importNotePart(
  { needs, tx, claim }: PartContext,
  items: readonly Item<'timed_notes'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const videos = await findVideos(
    tx,
    claim.user_id,
    items.map(({ source_url }) => source_url),
  )
  const notes = items.map(({ seconds, text, access, created_at }, index) => ({
    seconds,
    text,
    access,
    index,
    video_id: videos[index] ?? null,
    created_at: clampTimestamp(created_at, now),
  }))
  const outcomes = await importNotes(tx, needs.rules, claim.user_id, notes)
  return outcomes.map((note) => {
    if (note.outcome === 'added') {
      if (!note.is_withheld) return created(note.id)
      const reason = "It's private, because a public note can't contain this text."
      return { ...created(note.id), outcome: 'changed', reason }
    }
    if (note.outcome === 'duplicate') return known
    return rejected(
      note.outcome === 'missing'
        ? 'You have no bookmark of this video.'
        : 'You have too many notes on this bookmark.',
    )
  })
}

export async function importLikePart(
  context: PartContext,
  items: readonly Item<'likes'>[],
): Promise<ItemOutcome[]> {
  const links = items.map(({ source_url, created_at }) => ({ source_url, at: created_at }))
  const { videos, found } = await findMarkedVideos(context, links)
  const { created, unlisted } = await importLikes(context.tx, context.claim.user_id, found)
  const isUnlisted = new Set(unlisted)
  return outcomesById(videos, created, 'Video not found.').map((outcome, index) =>
    isUnlisted.has(videos[index] ?? 0) ? skipped(unlistedLikeText) : outcome,
  )
}

const unlistedLikeText = 'Likes are public, and this video is only saved privately.'

export async function importWatchedPart(
  context: PartContext,
  items: readonly Item<'watched'>[],
): Promise<ItemOutcome[]> {
  const links = items.map(({ source_url, watched_at }) => ({ source_url, at: watched_at }))
  return importHistory(context, links, importWatched)
}

export async function importPositionPart(
  context: PartContext,
  items: readonly Item<'playback_positions'>[],
): Promise<ItemOutcome[]> {
  const links = items.map(({ source_url, updated_at, seconds }) => ({ source_url, at: updated_at, seconds }))
  return importHistory(context, links, importPositions)
}

/** Imports marks that belong to the history, unless the user left the history out or paused it. */
async function importHistory<Link extends { source_url: string; at: string }>(
  context: PartContext,
  links: readonly Link[],
  importFound: ImportFound<Link>,
): Promise<ItemOutcome[]> {
  const { tx, claim } = context
  const reason =
    claim.options.history === false
      ? historyTexts.leftOut
      : (await isHistoryPaused(tx, claim))
        ? historyTexts.paused
        : null
  return reason === null ? importMarks(context, links, importFound) : links.map(() => skipped(reason))
}

/** Why history is not imported. */
export const historyTexts = {
  leftOut: 'You chose not to import watched videos.',
  paused: 'Your history is paused.',
}

/** Imports the marks of found videos and returns the ids of the videos that had none. */
type ImportFound<Link> = (
  tx: PartContext['tx'],
  userId: number,
  found: (Link & { video_id: number; created_at: string })[],
) => Promise<number[]>

/** Imports marks of the videos of links that the user may see. */
async function importMarks<Link extends { source_url: string; at: string }>(
  context: PartContext,
  links: readonly Link[],
  importFound: ImportFound<Link>,
): Promise<ItemOutcome[]> {
  const { videos, found } = await findMarkedVideos(context, links)
  return outcomesById(videos, await importFound(context.tx, context.claim.user_id, found), 'Video not found.')
}

/** Returns the id of each link's video, null if the user may not see it, and the links of those found. */
async function findMarkedVideos<Link extends { source_url: string; at: string }>(
  { tx, claim: { user_id } }: PartContext,
  links: readonly Link[],
) {
  const now = Date.now()
  const videos = await findVideos(
    tx,
    user_id,
    links.map(({ source_url }) => source_url),
  )
  const found = links.flatMap((link, index) => {
    const video_id = videos[index] ?? null
    return video_id === null ? [] : [{ ...link, video_id, created_at: clampTimestamp(link.at, now) }]
  })
  return { videos, found }
}
