/** Many saves of one person in one transaction: an import. The rules of each are those of a single save. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import type { Deps } from '../../app.ts'
import type { Db } from '../../core/database.ts'
import { InvalidFields } from '../../core/errors.ts'
import { partsOfSave, type RuleBook, screen } from '../screening/cards.ts'
import { fetchThumbnail } from './jobs.ts'
import { keepVideo } from './queries.ts'
import { type NewVideo, ownHosts, planSave, tidyTags } from './rules.ts'

export interface BookmarkToKeep {
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

export interface Kept {
  added: number
  already_there: number
  /** Which of them could not be kept, by their number, and why. */
  refused: { index: number; why: string }[]
  /** Which of them wait for a moderator: those that others would see. */
  held: number[]
}

interface Planned extends Omit<BookmarkToKeep, 'video'> {
  index: number
  video: NewVideo
  hold_reason: string | null
}

/**
 * Keeps bookmarks in places of one's own, with the times they had. What is there already stays as it is. Locks are
 * taken in the order of all: collections, videos by id, then the new ones by their links, bookmarks.
 */
export async function keepMany(
  tx: Db,
  { jobs, settings, rules }: Pick<Deps, 'jobs' | 'settings'> & { rules: RuleBook },
  userId: number,
  bookmarks: readonly BookmarkToKeep[],
): Promise<Kept> {
  const refused: Kept['refused'] = []
  const places = await lockPlaces(tx, userId, bookmarks)
  const planned: Planned[] = []
  bookmarks.forEach((bookmark, index) => {
    const place = places.get(bookmark.collection_id)
    if (place === undefined || (bookmark.channel_id !== null && !place.channels.has(bookmark.channel_id))) {
      refused.push({ index, why: 'The place it was to go to is no longer there.' })
      return
    }
    const tags = tidyTags(bookmark.tags)
    const plan = refusedInstead(refused, index, () => {
      const { video } = planSave({ video: bookmark.video, bookmark: {} }, ownHosts(settings.publicUrl))
      return { video, hold_reason: screen(rules, partsOfSave({ video, bookmark: { ...bookmark, tags } })) }
    })
    if (plan !== null) planned.push({ ...bookmark, tags, index, ...plan })
  })

  const ids = new Map<string, number>()
  await lockVideos(tx, [...new Set(planned.map(({ video }) => video.canonical_url))])
  for (const [link, saves] of byLink(planned)) {
    const isPublic = saves.some(
      ({ access, collection_id, hold_reason }) =>
        access === 'public' && places.get(collection_id)?.access === 'public' && hold_reason === null,
    )
    const [first] = saves
    if (first === undefined) continue
    try {
      const video = await keepVideo(tx, userId, first.video, isPublic)
      ids.set(link, video.id)
      // Behind the pictures that somebody waits for.
      if (video.wants_picture)
        await jobs.send(tx, fetchThumbnail, { video_id: video.id }, { isUrgent: false })
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
    ({ hold_reason, access, collection_id }) =>
      hold_reason !== null && access === 'public' && places.get(collection_id)?.access === 'public',
  )
  return { added, already_there: rows.length - added, refused, held: held.map(({ index }) => index) }
}

/** What a rule answers, or null where it refuses: then why is noted. */
function refusedInstead<T>(refused: Kept['refused'], index: number, rule: () => T): T | null {
  try {
    return rule()
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error
    refused.push({ index, why: errorTexts(error.body)[0] ?? '' })
    return null
  }
}

/** In the order of their links, so that two imports of the same new videos wait for each other and never in a circle. */
function byLink(planned: Planned[]): [string, Planned[]][] {
  const groups = Map.groupBy(planned, ({ video }) => video.canonical_url)
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
}

async function lockPlaces(tx: Db, userId: number, bookmarks: readonly BookmarkToKeep[]) {
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
                           hold_reason, created_at, updated_at)
    select ${userId}, video_id, collection_id, channel_id, title, description, tags, access, hold_reason, created_at,
           created_at
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
             video_id bigint, collection_id bigint, channel_id bigint, title text, description text, tags text[],
             access text, hold_reason text, created_at timestamptz)
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id`
  return added.length
}
