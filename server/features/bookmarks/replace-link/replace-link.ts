/** Moves a bookmark of a video that is gone to another link (docs/decisions/0080-short-links-and-other-links.md). */
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { canonicalise } from '../../../core/video-links/canonical-url.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { isMissing } from '../../../shared/missing-videos.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { isInLibrary, isTrashed } from '../../../shared/visibility.ts'
import { lockOwnCollections } from '../../collections/public-api.ts'
import { type CompiledRules, screenContent } from '../../moderation/public-api.ts'
import { type Facts, noFacts } from '../facts.ts'
import { moveBookmarks } from '../merge/merge-bookmarks.ts'
import { adultOrientationText } from '../save/rules.ts'
import { removedVideoText, upsertVideos, type VideoSave } from '../save/upsert-videos.ts'
import { withAllowedUploader } from '../uploaders.ts'

interface OwnBookmark {
  video_id: number
  canonical_url: string
  orientation: string
  is_public: boolean
  is_missing: boolean
}

/**
 * Checks that a bookmark is the viewer's own and its video gone.
 * @throws ApiError('not-found'); InvalidFields if the video is not gone
 */
export async function requireMissing(db: Db, viewer: Viewer, id: number): Promise<OwnBookmark> {
  const [own] = await db<OwnBookmark[]>`
    select b.video_id, v.canonical_url, b.orientation, b.is_public, ${isMissing(db)} as is_missing
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and b.user_id = ${viewer.id} and ${isInLibrary(db)}`
  if (own === undefined) throw new ApiError('not-found')
  if (!own.is_missing) throw linkError("This video isn't gone.")
  return own
}

/** Returns an error at the link. */
export function linkError(text: string): InvalidFields {
  return new InvalidFields({ source_url: [text] })
}

export const unchangedLinkText = "This is the link that's gone."

/** Returns what a save of a link with the facts of its page would store. */
export function videoOfLink(rules: CompiledRules, link: string, facts: Facts): Omit<VideoSave, 'isPublic'> {
  const { identity, ...recognised } = canonicalise(link)
  const extracted = withAllowedUploader(facts, rules)
  const sent = { ...extracted, ...(recognised.embed_url !== null && { embed_url: null }) }
  return { video: { identity, recognised: { ...noFacts, ...recognised }, sent }, extracted }
}

/**
 * Moves the bookmark to the video of another link, which was requested before. The title, texts, tags and date stay. If the
 * owner has that video in the same destination already, the two are merged.
 * @param facts what the page of the link contains
 * @returns the id of the bookmark that remains
 * @throws as `requireMissing`, and InvalidFields for links that are refused, removed, the same, or of adult sites on `sfw` bookmarks
 */
export async function replaceLink(
  tx: TransactionSql,
  { jobs, rules }: { jobs: Jobs; rules: CompiledRules },
  viewer: Viewer,
  id: number,
  { link, facts }: { link: string; facts: Facts },
): Promise<number> {
  const save = videoOfLink(rules, link, facts)
  const { identity } = save.video
  const hold_reason = screenContent(rules, [{ field: 'source_url', link: identity.source_url }])
  await lockOwnCollections(tx, viewer.id)
  await tx`
    select from videos
     where id = (select video_id from bookmarks where id = ${id}) or canonical_hash = url_hash(${identity.canonical_url})
     order by id for no key update`
  const own = await requireMissing(tx, viewer, id)
  if (own.canonical_url === identity.canonical_url) throw linkError(unchangedLinkText)
  if (own.orientation === 'sfw' && isAdultLink(identity.source_url)) throw linkError(adultOrientationText)
  const isPublic = own.is_public && hold_reason === null
  const [saved] = await upsertVideos(tx, [{ ...save, isPublic }])
  if (saved == null) throw linkError(removedVideoText)
  await tx`
    select from bookmarks where user_id = ${viewer.id} and video_id in (${own.video_id}, ${saved.id})
     order by id for no key update`
  // The owner's player and the time to start at belong to the link that is gone.
  await tx`
    update bookmarks
       set embed_url = ${saved.own.embed_url}, start_seconds = null, updated_at = now(),
           shape = coalesce(${saved.own.shape}, shape), duration = coalesce(${saved.own.duration}, duration),
           uploader_name = ${saved.own.uploader_name}, uploader_url = ${saved.own.uploader_url},
           width = coalesce(${saved.own.width}, width), height = coalesce(${saved.own.height}, height),
           hold_reason = coalesce(${hold_reason}, hold_reason)
     where id = ${id}`
  await moveBookmarks(tx, [id], own.video_id, saved.id)
  await tx`insert into removal_candidates (video_id) values (${own.video_id})`
  if (saved.wants_picture) await jobs.send(tx, fetchThumbnailJob, { video_id: saved.id })
  // An earlier merge may have been undone by restoring the bookmark from the trash.
  const [merged] = await tx<{ bookmark_id: number }[]>`
    select m.bookmark_id from merged_bookmarks m join bookmarks b on b.id = m.id
     where m.id = ${id} and ${isTrashed(tx)}`
  const remaining = merged?.bookmark_id ?? id
  if (saved.own.thumbnail_state === 'pending') await fetchOwnPicture(tx, jobs, remaining, saved.own)
  return remaining
}

/** Requests the picture of a private bookmark that has none. */
async function fetchOwnPicture(tx: TransactionSql, jobs: Jobs, id: number, own: Facts): Promise<void> {
  const pending = await tx`
    update bookmarks
       set thumbnail_source_url = coalesce(${own.thumbnail_source_url}, thumbnail_source_url), thumbnail_state = 'pending'
     where id = ${id} and thumbnail_key is null`
  if (pending.count > 0) await jobs.send(tx, fetchThumbnailJob, { bookmark_id: id })
}
