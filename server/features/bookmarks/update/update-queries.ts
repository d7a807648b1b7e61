import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { MetadataTexts } from '@reelmark/contract/video-facts.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { noThumbnail } from '../../../shared/thumbnails.ts'
import { canSeeBookmark, isInLibrary, isNotTrashed } from '../../../shared/visibility.ts'
import {
  type Destination,
  type DestinationInput,
  lockOwnDestination,
  unknownDestinationError,
} from '../../collections/public-api.ts'
import { type CompiledRules, holdPublished } from '../../moderation/public-api.ts'
import { type Facts, factColumns, sentUploader } from '../facts.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'
import { adultOrientationText } from '../save/rules.ts'

export interface BookmarkChanges extends DestinationInput, Partial<MetadataTexts>, Partial<Facts> {
  title?: string
  tags?: string[]
  orientation?: Orientation
  access?: 'public' | 'private'
  start_seconds?: number | null
  private_note?: string
  hold_reason?: string
}

/**
 * Changes a user's own bookmark; fields that are missing stay unchanged. It is held if it becomes public and matches a rule.
 * @returns whether a thumbnail must be fetched
 * @throws ApiError('not-found'), ('forbidden') for another user's bookmark that the viewer may see, ('already-saved');
 *   InvalidFields for a destination that is not the user's, and for `sfw` on a link to an adult site.
 */
export async function updateBookmark(
  tx: TransactionSql,
  viewer: Viewer,
  id: number,
  changes: BookmarkChanges,
  rules: CompiledRules,
): Promise<boolean> {
  await lockOwnBookmarks(tx, viewer.id, [id])
  const [own] = await tx<OwnBookmark[]>`
    select b.collection_id, b.channel_id, c.access, b.orientation, v.source_url, b.embed_url, b.thumbnail_source_url,
           b.thumbnail_is_uploaded, v.saves_count > 0 as is_video_public,
           (select row_to_json(facts) from (select ${tx.unsafe(factColumns.map((name) => `v.${name}`).join(', '))}) facts)
             as video_facts
      from bookmarks b join videos v on v.id = b.video_id join collections c on c.id = b.collection_id
     where b.id = ${id} and b.user_id = ${viewer.id} and ${isInLibrary(tx)}`
  if (own === undefined) throw await accessError(tx, viewer, id)
  requireValidOrientation(own, changes)
  const { collection_id, channel_id, uploader_name, uploader_url, ...rest } = changes
  const row: Record<string, unknown> = {
    ...rest,
    ...sentUploader({ uploader_name, uploader_url }, own.source_url),
  }
  for (const column of factColumns) {
    // A value that the video has, too, is not stored as the owner's.
    if (row[column] !== undefined && row[column] === own.video_facts[column]) row[column] = null
  }
  const link = row.thumbnail_source_url
  const hasNewPicture = link !== undefined && (link !== own.thumbnail_source_url || own.thumbnail_is_uploaded)
  if (hasNewPicture) {
    Object.assign(row, noThumbnail, { thumbnail_is_uploaded: false })
    // Without a link the video's thumbnail applies, which exists if the video is public.
    row.thumbnail_state = link === null && own.is_video_public ? 'none' : 'pending'
  }
  if (collection_id !== undefined || channel_id !== undefined) {
    const destination = await resolveDestination(tx, viewer.id, own, { collection_id, channel_id })
    row.collection_id = destination.collection_id
    row.channel_id = destination.channel_id
    const wasHidden = own.access === 'private' && destination.access === 'public'
    if (wasHidden && rest.access === undefined) row.access = 'private'
    await requireNotSaved(tx, viewer.id, id, destination)
  }
  if (Object.keys(row).length > 0) {
    // Others see the time of the update, and must not learn from it when the owner wrote a private note.
    const showsUpdate = Object.keys(row).some((name) => name !== 'private_note')
    const updatedAt = showsUpdate ? tx`, updated_at = now()` : tx``
    await holdPublished(
      tx,
      rules,
      [id],
      () => tx`update bookmarks set ${tx(row)} ${updatedAt} where id = ${id}`,
    )
  }
  return row.thumbnail_state === 'pending'
}

type OwnBookmark = Destination &
  Pick<Facts, 'embed_url' | 'thumbnail_source_url'> & {
    orientation: Orientation
    source_url: string
    is_video_public: boolean
    thumbnail_is_uploaded: boolean
    video_facts: Facts
  }

/**
 * Refuses `sfw` for an adult site. Only changed fields are checked, because the site may have become known as an adult one
 * since the bookmark was saved.
 */
function requireValidOrientation(own: OwnBookmark, { orientation, embed_url }: BookmarkChanges): void {
  if (orientation !== 'sfw' && (embed_url === undefined || (orientation ?? own.orientation) !== 'sfw')) return
  const links = [...(orientation === 'sfw' ? [own.source_url] : []), embed_url ?? own.embed_url]
  if (links.some(isAdultLink)) throw new InvalidFields({ orientation: [adultOrientationText] })
}

/** Returns and locks the new destination. `channel_id: null` alone moves the bookmark out of its channel. */
async function resolveDestination(
  tx: TransactionSql,
  userId: number,
  own: Destination,
  { collection_id, channel_id = null }: DestinationInput,
): Promise<Destination> {
  const staysInCollection = collection_id === undefined && channel_id === null
  const destination = await lockOwnDestination(tx, userId, {
    collection_id: staysInCollection ? own.collection_id : (collection_id ?? null),
    channel_id,
  })
  if (destination === null) throw unknownDestinationError({ collection_id, channel_id })
  return destination
}

async function requireNotSaved(
  tx: TransactionSql,
  userId: number,
  id: number,
  destination: Destination,
): Promise<void> {
  const [existing] = await tx<{ id: number }[]>`
    select o.id from bookmarks o join bookmarks b on b.id = ${id} and b.video_id = o.video_id
     where o.user_id = ${userId} and o.collection_id = ${destination.collection_id}
       and o.channel_id is not distinct from ${destination.channel_id}::bigint and ${isNotTrashed(tx, 'o')} and o.id <> ${id}`
  if (existing !== undefined) throw new ApiError('already-saved', { bookmark_id: existing.id })
}

/** Returns the error for a bookmark that is not the user's own: forbidden if they may see it, else not found. */
export async function accessError(db: Db, viewer: Viewer, id: number): Promise<ApiError> {
  const visible = await db`
    select from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and b.user_id <> ${viewer.id} and ${canSeeBookmark(db, viewer)}`
  return new ApiError(visible.count > 0 ? 'forbidden' : 'not-found')
}
