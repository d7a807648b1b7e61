/** Many saves of one person in one transaction: an import. The rules of each are those of a single save. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import {
  bookmarkParts,
  type CompiledRules,
  screenContent,
} from '../../moderation/content-rules/screen-content.ts'
import { fetchThumbnailJob } from '../thumbnails/jobs.ts'
import { upsertVideo } from './queries.ts'
import { buildSave, type NewVideo, normaliseTags, ownHosts } from './rules.ts'

export interface BookmarkImport {
  video: SaveInput['video']
  title: string
  description: string
  tags: string[]
  access: 'public' | 'private'
  /** As PostgreSQL reads it; not in the future. */
  created_at: string
  collection_id: number
  channel_id: number | null
}

export interface ImportResult {
  added: number
  already_there: number
  /** Which of them could not be kept, by their number, and why. */
  refused: { index: number; why: string }[]
  /** Which of them wait for a moderator: those that others would see. */
  held: number[]
}

interface PlannedBookmark extends Omit<BookmarkImport, 'video'> {
  index: number
  video: NewVideo
  held_for: string | null
}

/**
 * Keeps bookmarks in places of one's own, with the times they had. What is there already stays as it is. Locks are
 * taken in the order of all: collections, videos by id, then the new ones by their links, bookmarks.
 */
export async function importBookmarks(
  tx: Db,
  { jobs, settings, rules }: Pick<Deps, 'jobs' | 'settings'> & { rules: CompiledRules },
  userId: number,
  bookmarks: readonly BookmarkImport[],
): Promise<ImportResult> {
  const refused: ImportResult['refused'] = []
  const destinations = await lockDestinations(tx, userId, bookmarks)
  const planned: PlannedBookmark[] = []
  bookmarks.forEach((bookmark, index) => {
    const destination = destinations.get(bookmark.collection_id)
    if (
      destination === undefined ||
      (bookmark.channel_id !== null && !destination.channels.has(bookmark.channel_id))
    ) {
      refused.push({ index, why: 'That collection no longer exists.' })
      return
    }
    const tags = normaliseTags(bookmark.tags)
    const plan = collectRefusal(refused, index, () => {
      const { video } = buildSave({ video: bookmark.video, bookmark: {} }, ownHosts(settings.publicUrl))
      return {
        video,
        held_for: screenContent(rules, bookmarkParts({ video, bookmark: { ...bookmark, tags } })),
      }
    })
    if (plan !== null) planned.push({ ...bookmark, tags, index, ...plan })
  })

  const ids = new Map<string, number>()
  await lockVideos(tx, [...new Set(planned.map(({ video }) => video.canonical_url))])
  for (const [link, saves] of groupByLink(planned)) {
    const isPublic = saves.some(
      ({ access, collection_id, held_for }) =>
        access === 'public' && destinations.get(collection_id)?.access === 'public' && held_for === null,
    )
    const [first] = saves
    if (first === undefined) continue
    try {
      const video = await upsertVideo(tx, userId, first.video, isPublic)
      ids.set(link, video.id)
      // Behind the pictures that somebody waits for.
      if (video.wants_picture)
        await jobs.send(tx, fetchThumbnailJob, { video_id: video.id }, { isUrgent: false })
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error
      const [why = ''] = errorTexts(error.body)
      for (const { index } of saves) refused.push({ index, why })
    }
  }

  const rows = planned.flatMap(({ video, index: _, ...row }) => {
    const video_id = ids.get(video.canonical_url)
    return video_id === undefined ? [] : [{ ...row, video_id }]
  })
  const added = await insertBookmarks(tx, userId, rows)
  const held = planned.filter(
    ({ held_for, access, collection_id }) =>
      held_for !== null && access === 'public' && destinations.get(collection_id)?.access === 'public',
  )
  return { added, already_there: rows.length - added, refused, held: held.map(({ index }) => index) }
}

/** What a rule answers, or null where it refuses: then why is noted. */
function collectRefusal<T>(refused: ImportResult['refused'], index: number, rule: () => T): T | null {
  try {
    return rule()
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error
    refused.push({ index, why: errorTexts(error.body)[0] ?? '' })
    return null
  }
}

/** In the order of their links, so that two imports of the same new videos wait for each other and never in a circle. */
function groupByLink(planned: PlannedBookmark[]): [string, PlannedBookmark[]][] {
  const groups = Map.groupBy(planned, ({ video }) => video.canonical_url)
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
}

async function lockDestinations(tx: Db, userId: number, bookmarks: readonly BookmarkImport[]) {
  const collections = await tx<{ id: number; access: string }[]>`
    select id, access from collections
     where user_id = ${userId} and id = any (${bookmarks.map(({ collection_id }) => collection_id)})
     order by id for no key update`
  const channels = await tx<{ id: number; collection_id: number }[]>`
    select id, collection_id from channels
     where id = any (${bookmarks.flatMap(({ channel_id }) => channel_id ?? [])}) order by id for key share`
  return new Map(
    collections.map(({ id, access }) => [
      id,
      {
        access,
        channels: new Set(channels.filter((each) => each.collection_id === id).map((each) => each.id)),
      },
    ]),
  )
}

async function lockVideos(tx: Db, links: string[]): Promise<void> {
  await tx`
    select from videos where canonical_hash in (select url_hash(link) from unnest(${links}::text[]) link)
     order by id for no key update`
}

/** @returns how many were not there. Times go as text: the driver's dates are of milliseconds. */
async function insertBookmarks(tx: Db, userId: number, rows: object[]): Promise<number> {
  if (rows.length === 0) return 0
  const added = await tx`
    insert into bookmarks (user_id, video_id, collection_id, channel_id, title, description, tags, access,
                           held_for, created_at, updated_at)
    select ${userId}, video_id, collection_id, channel_id, title, description, tags, access, held_for, created_at,
           created_at
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
             video_id bigint, collection_id bigint, channel_id bigint, title text, description text, tags text[],
             access text, held_for text, created_at timestamptz)
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id`
  return added.length
}
