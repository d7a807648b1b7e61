/** Finds or creates the videos of saves: one per canonical link. */
import type { Db } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { canonicalLinks } from '../../../core/video-links/canonical-url.ts'
import { divideFacts, type Facts, factColumns } from '../facts.ts'
import type { NewVideo } from './rules.ts'

export interface VideoSave {
  video: NewVideo
  isPublic: boolean
  /** What the server found when it requested the page for the user; null if that was too long ago or never. */
  extracted: Facts | null
}

export interface UpsertedVideo {
  id: number
  /** What the user submitted that the video does not have, and whether the bookmark needs a thumbnail of its own. */
  own: Facts & { thumbnail_state: 'none' | 'pending' }
  /** Whether the video got a new thumbnail link, which the caller must request to be fetched. */
  wants_picture: boolean
}

/** Returns the video of one save. @throws InvalidFields for a video that moderators removed. */
export async function upsertVideo(
  db: Db,
  video: NewVideo,
  save: Pick<VideoSave, 'isPublic' | 'extracted'>,
): Promise<UpsertedVideo> {
  const [saved] = await upsertVideos(db, [{ video, ...save }])
  if (saved == null) throw removedVideoError()
  return saved
}

/**
 * Finds or creates the videos of saves, and locks them. A video stores only what the server determined; divideFacts() decides
 * where the submitted facts are stored. Runs the same statements for a new video and for an existing one that is only saved
 * privately, so that their duration does not tell which it is. Locks existing videos by id, then creates the others by link, so
 * that two imports of the same videos cannot deadlock.
 * @returns for each save its video, or null if moderators removed it
 */
export async function upsertVideos(db: Db, saves: readonly VideoSave[]): Promise<(UpsertedVideo | null)[]> {
  const stored = await lockVideos(
    db,
    saves.map(({ video }) => video),
  )
  const changed = new Map<string, StoredVideo>()
  const used = new Set<number>()
  const upserted = saves.map((save) => {
    const link = save.video.identity.canonical_url
    const video = stored.get(link) as StoredVideo
    if (isRemoved(video, save.video)) return null
    used.add(video.id)
    const { result, learned } = applySave(video, save)
    if (Object.keys(learned).length > 0) {
      // Later saves of the same video see what this one stored.
      Object.assign(video, learned)
      changed.set(link, video)
    }
    return result
  })
  // An import goes on with its transaction, which must not leave a video without a bookmark.
  const unused = [...stored.values()].filter(({ id, is_new }) => is_new && !used.has(id)).map(({ id }) => id)
  if (unused.length > 0) await db`delete from videos where id = any (${unused}::bigint[])`
  if (changed.size > 0) await updateVideos(db, [...changed.values()])
  return upserted
}

/** Returns whether moderators removed a video, or refused its link or that of one of the players that a save has. */
function isRemoved({ status, refused }: StoredVideo, saved: NewVideo): boolean {
  return status === 'removed' || refusableLinks(saved).some((link) => refused.includes(link))
}

function refusableLinks({ identity, recognised, sent }: NewVideo): string[] {
  return canonicalLinks(identity.canonical_url, [recognised.embed_url, sent.embed_url])
}

type Learned = Partial<Facts> & { thumbnail_state?: 'pending' }

/** Decides what a save stores with its video, and what with the bookmark. */
function applySave(
  stored: StoredVideo,
  { video: { recognised, sent }, isPublic, extracted }: VideoSave,
): { result: UpsertedVideo; learned: Learned } {
  const { own, learned } = divideFacts({ sent, recognised, extracted, isPublic, stored })
  const link = learned.thumbnail_source_url ?? stored.thumbnail_source_url
  const isNewLink = learned.thumbnail_source_url !== undefined
  // The thumbnail of a private save is stored with the bookmark, so that nothing of it crosses to another user.
  const wants_picture = isPublic && link !== null && (isNewLink || stored.thumbnail_state === 'none')
  const isOwn = own.thumbnail_source_url !== null
  const wantsStandard = !isPublic && stored.saves_count === 0 && recognised.thumbnail_source_url !== null
  const thumbnail_state = isOwn || wantsStandard ? 'pending' : 'none'
  return {
    result: { id: stored.id, own: { ...own, thumbnail_state }, wants_picture },
    learned: wants_picture ? { ...learned, thumbnail_state: 'pending' } : learned,
  }
}

type StoredVideo = Facts & {
  id: number
  canonical_url: string
  status: string
  saves_count: number
  /** Which links of its page and players, of all saves, moderators refused. */
  refused: string[]
  thumbnail_state: string
  /** Whether this call created it. */
  is_new: boolean
}

/** Returns and locks the videos of links, by canonical link. Those that do not exist are created. */
async function lockVideos(db: Db, videos: readonly NewVideo[]): Promise<Map<string, StoredVideo>> {
  const missing = new Map(videos.map((video) => [video.identity.canonical_url, video]))
  const refusable = videos.flatMap((video) =>
    refusableLinks(video).map((link) => ({ canonical_url: video.identity.canonical_url, link })),
  )
  const stored = new Map<string, StoredVideo>()
  const created = new Set<string>()
  // A single save locks only one video, after it was created.
  if (missing.size > 1) await selectVideos(db, [...missing.keys()], [])
  // A job may delete an unused video between the two statements; the next attempt creates it again.
  for (let attempt = 0; attempt < 5; attempt++) {
    for (const link of await insertVideos(db, [...missing.values()])) created.add(link)
    for (const video of await selectVideos(db, [...missing.keys()], refusable)) {
      stored.set(video.canonical_url, { ...video, is_new: created.has(video.canonical_url) })
      missing.delete(video.canonical_url)
    }
    if (missing.size === 0) return stored
  }
  throw new ApiError('unavailable', {}, 1)
}

const videoColumns = ['canonical_url', 'source_url', 'host', 'provider', 'provider_id', ...factColumns]

/** Creates videos in the order of their links, and returns the links of those created. */
async function insertVideos(db: Db, videos: readonly NewVideo[]): Promise<string[]> {
  const rows = videos.map(({ identity, recognised }) => ({ ...identity, ...recognised }))
  const columns = db.unsafe(videoColumns.join(', '))
  // On any conflict: concurrent inserts of one link have the same id, too.
  const created = await db<{ canonical_url: string }[]>`
    insert into videos (${columns})
    select ${columns} from json_populate_recordset(null::videos, ${JSON.stringify(rows)}::text::json)
     order by canonical_url
    on conflict do nothing
    returning canonical_url`
  return created.map(({ canonical_url }) => canonical_url)
}

/**
 * Returns and locks the existing videos of links.
 * @param refusable the links by which the saves of a video can be refused
 */
async function selectVideos(
  db: Db,
  links: readonly string[],
  refusable: readonly { canonical_url: string; link: string }[],
): Promise<Omit<StoredVideo, 'is_new'>[]> {
  const column = (name: 'canonical_url' | 'link') => refusable.map((row) => row[name])
  return db<Omit<StoredVideo, 'is_new'>[]>`
    select v.id, v.canonical_url, status, saves_count, thumbnail_state, ${db.unsafe(factColumns.join(', '))},
           coalesce(found.refused, '{}') as refused
      from videos v
      left join (
        select canonical_url, array_agg(distinct link) as refused
          from unnest(${column('canonical_url')}::text[], ${column('link')}::text[]) as checked (canonical_url, link)
         where exists (select from refused_links where canonical_hash = url_hash(checked.link))
         group by canonical_url) found on found.canonical_url = v.canonical_url
     where v.canonical_hash in (select url_hash(link) from unnest(${links}::text[]) link)
     order by v.id for no key update of v`
}

/** Stores what saves learned. Earlier failures to fetch a thumbnail count for it until it becomes another one. */
async function updateVideos(db: Db, videos: readonly StoredVideo[]): Promise<void> {
  const assignments = factColumns.map((name) => `${name} = r.${name}`).join(', ')
  const isNewThumbnail = db`r.thumbnail_state = 'pending'
    and (v.thumbnail_state, v.thumbnail_source_url) is distinct from (r.thumbnail_state, r.thumbnail_source_url)`
  await db`
    update videos v
       set ${db.unsafe(assignments)}, updated_at = now(), thumbnail_state = r.thumbnail_state,
           thumbnail_failures = case when ${isNewThumbnail} then 0 else v.thumbnail_failures end,
           thumbnail_retry_at = case when r.thumbnail_state = 'pending' then null else v.thumbnail_retry_at end
      from json_populate_recordset(null::videos, ${JSON.stringify(videos)}::text::json) r
     where v.id = r.id`
}

export const removedVideoText = 'This video was removed by the moderators.'

/** Returns the error for a removed video. After a permanent removal there is no row any more, only the refused link. */
export function removedVideoError(): InvalidFields {
  return new InvalidFields({ video: { source_url: [removedVideoText] } })
}
