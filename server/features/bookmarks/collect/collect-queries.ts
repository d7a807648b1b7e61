/** Collecting visible bookmarks into own collections, finding own bookmarks by link, and Watch Later. */

import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type MetadataTexts, metadataTextNames } from '@reelmark/contract/video-facts.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { createYield } from '../../../core/yield.ts'
import { metadataTextColumns } from '../../../shared/bookmark-columns.ts'
import { andNotBlockedByOwner, andNotHidden } from '../../../shared/user-visibility.ts'
import {
  canSeeBookmark,
  canSeeCollection,
  canSeeVideo,
  isNotRemoved,
  isNotTrashed,
  isPublic,
  isVisible,
  isVisibleVideo,
} from '../../../shared/visibility.ts'
import { type Destination, invalidPkMessage, lockOwnDestination } from '../../collections/public-api.ts'
import { type CompiledRules, hasNoRules, screenContent } from '../../moderation/public-api.ts'
import { type Facts, factColumns } from '../facts.ts'
import { insertBookmark } from '../save/queries.ts'
import type { NewBookmark } from '../save/rules.ts'
import { queueThumbnailCopies } from '../thumbnails/copy-thumbnails.ts'

export interface DestinationInput {
  collection?: number | null
  channel?: number | null
}

/**
 * Locks and returns the destination to collect into.
 * @throws InvalidFields, at the field, if none is named or it is not the user's own.
 */
export async function lockDestination(
  tx: TransactionSql,
  userId: number,
  into: DestinationInput,
): Promise<Destination> {
  const { collection = null, channel = null } = into
  if (collection === null) throw new InvalidFields({ collection: ['A collection is required.'] })
  const inCollection = await lockOwnDestination(tx, userId, { collection_id: collection })
  if (inCollection === null) throw new InvalidFields({ collection: [invalidPkMessage(collection)] })
  if (channel === null) return inCollection
  const destination = await lockOwnDestination(tx, userId, { collection_id: collection, channel_id: channel })
  if (destination === null) throw new InvalidFields({ channel: [invalidPkMessage(channel)] })
  return destination
}

/**
 * Copies a bookmark into the user's own destination and returns the copy's id. The copy of a bookmark that is not public is
 * private, unless it is the user's own and they chose `access: 'public'`.
 * @throws InvalidFields for a bookmark that the viewer may not see or that a rule refuses, ApiError('already-saved').
 */
export async function collectBookmark(
  tx: TransactionSql,
  viewer: Viewer,
  { bookmark: id, access }: { bookmark: number; access?: BookmarkAccess },
  destination: Destination,
  { jobs, rules }: CollectDependencies,
): Promise<number> {
  const [source] = await tx<Source[]>`
    select b.video_id, v.source_url, ${copiedColumns(tx)},
           case when b.user_id = ${viewer.id} and ${access ?? null}::text = 'public' then 'public'
                else ${copiedAccess(tx, viewer, access)} end as access
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and ${isNotRemoved(tx)} and ${canSeeBookmark(tx, viewer)} ${andNotBlockedByOwner(tx, tx`b.user_id`, viewer)}`
  if (source === undefined) throw new InvalidFields({ bookmark: [invalidPkMessage(id)] })
  const { video_id, source_url, ...bookmark } = source
  const hold_reason = screenContent(rules, screenedParts({ ...bookmark, source_url }))
  const copyId = await insertBookmark(tx, viewer.id, video_id, destination, { ...bookmark, hold_reason })
  await queueThumbnailCopies(tx, jobs, { from: [id], to: [copyId] })
  return copyId
}

type CollectDependencies = Pick<Deps, 'jobs'> & { rules: CompiledRules }

type Source = NewBookmark & Partial<Facts> & { video_id: number; source_url: string }

/** The columns that a copy takes over: what the owner entered, and their own facts. */
const copied = [
  ...(['title', 'tags', 'orientation'] as const),
  ...metadataTextNames,
  ...factColumns,
  'start_seconds',
  'thumbnail_is_uploaded',
  'thumbnail_state',
]

/** The stored thumbnail is not taken over: a job stores the copy's own one (thumbnails/copy-thumbnails.ts). */
function copiedColumns(db: Db): Fragment {
  const names = copied.filter((name) => name !== 'thumbnail_state').map((name) => `b.${name}`)
  return db`${db.unsafe(names.join(', ')) as Fragment},
    case b.thumbnail_state when 'ready' then 'pending' else b.thumbnail_state end as thumbnail_state`
}

/** The access of a copy: the requested one, otherwise the viewer's default; private if the bookmark is not public. */
function copiedAccess(db: Db, viewer: Viewer, access: BookmarkAccess | undefined): Fragment {
  return db`case when ${isPublic(db)}
    then coalesce(${access ?? null}::text, (select default_bookmark_access from users where id = ${viewer.id}))
    else 'private' end`
}

/** Returns the parts of a copied bookmark to screen. Every refusal is reported at the field `bookmark`. */
function screenedParts({ title, tags, source_url, ...texts }: VideoMetadata) {
  return [
    { field: 'bookmark', text: title, link: source_url, tags },
    ...metadataTextNames.map((name) => ({ field: 'bookmark', text: texts[name] })),
  ]
}

interface VideoMetadata extends MetadataTexts {
  title: string
  tags: string[]
  source_url: string
}

/**
 * Copies the bookmarks of a collection or channel that the viewer may see into their own destination, in the same order.
 * Skips videos that are there already and bookmarks that a rule refuses. The maximum of 2,000 bookmarks took 0.8 s; saves
 * and likes of the same videos wait that long.
 * @throws ApiError('not-found') if the viewer may not see the source, ('collection-too-large'); InvalidFields.
 */
export async function collectAll(
  tx: TransactionSql,
  viewer: Viewer,
  source: { collection: number } | { channel: number },
  { access, ...into }: DestinationInput & { access?: BookmarkAccess },
  { jobs, rules }: CollectDependencies,
): Promise<{ added: number; duplicates: number; refused: number }> {
  const ids = await findVisibleBookmarks(tx, viewer, source)
  const destination = await lockDestination(tx, viewer.id, into)
  await tx`
    select from videos where id in (select video_id from bookmarks where id = any (${ids}::bigint[]))
     order by id for no key update`
  const { allowed, held } = await screenCopies(tx, ids, rules)
  const created = await tx<{ id: number }[]>`
    insert into bookmarks (user_id, video_id, collection_id, channel_id, ${tx.unsafe(copied.join(', '))}, access, hold_reason)
    select ${viewer.id}, b.video_id, ${destination.collection_id}, ${destination.channel_id}, ${copiedColumns(tx)}, ${copiedAccess(tx, viewer, access)},
           ${JSON.stringify(held)}::text::jsonb ->> b.id::text
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = any (${allowed}::bigint[]) and ${isNotRemoved(tx)}
       and ${canSeeBookmark(tx, { ...viewer, is_moderator: false })}
     order by b.created_at, b.id
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id`
  await queueThumbnailCopies(tx, jobs, { from: allowed, to: created.map(({ id }) => id) })
  const refused = ids.length - allowed.length
  return { added: created.count, duplicates: allowed.length - created.count, refused }
}

/** Returns the ids of the bookmarks to copy. @throws ApiError('not-found'), ('collection-too-large') */
async function findVisibleBookmarks(
  db: Db,
  viewer: Viewer,
  source: { collection: number } | { channel: number },
): Promise<number[]> {
  const where =
    'channel' in source ? db`b.channel_id = ${source.channel}` : db`b.collection_id = ${source.collection}`
  const selectSource =
    'channel' in source
      ? db`select from channels ch join collections c on c.id = ch.collection_id where ch.id = ${source.channel}`
      : db`select from collections c where c.id = ${source.collection}`
  const visible = await db`
    ${selectSource} and ${canSeeCollection(db, viewer.id)} ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  if (visible.count === 0) throw new ApiError('not-found')
  const rows = await db<{ id: number }[]>`
    select b.id from bookmarks b join videos v on v.id = b.video_id
     where ${where} and ${canSeeBookmark(db, { ...viewer, is_moderator: false })} and ${isNotRemoved(db)}
     order by b.created_at, b.id limit ${limits.collectAllMax + 1}`
  if (rows.length > limits.collectAllMax) throw new ApiError('collection-too-large')
  return rows.map(({ id }) => id)
}

/** Screens the bookmarks to copy. Returns the ids that no rule refuses, and the hold reasons by id. */
async function screenCopies(tx: TransactionSql, ids: number[], rules: CompiledRules) {
  const held: Record<number, string> = {}
  if (hasNoRules(rules)) return { allowed: ids, held }
  const sources = await tx<(VideoMetadata & { id: number })[]>`
    select b.id, b.title, ${metadataTextColumns(tx)}, b.tags, v.source_url
      from bookmarks b join videos v on v.id = b.video_id where b.id = any (${ids}::bigint[])`
  const refused = new Set<number>()
  const letOthersRun = createYield()
  for (const { id, ...metadata } of sources) {
    await letOthersRun()
    try {
      const reason = screenContent(rules, screenedParts(metadata))
      if (reason !== null) held[id] = reason
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error
      refused.add(id)
    }
  }
  return { allowed: ids.filter((id) => !refused.has(id)), held }
}

export interface OwnBookmark {
  id: number
  video_id: number
  title: string
  access: 'public' | 'private'
  is_public: boolean
  created_at: string
  collection: { id: number; name: string; access: 'public' | 'private' }
  channel: { id: number; name: string } | null
}

/** Returns the user's own bookmarks of a video, found by its canonical link, the latest first. */
export async function findOwnBookmarksByUrl(
  db: Db,
  userId: number,
  canonicalUrl: string,
): Promise<OwnBookmark[]> {
  return db<OwnBookmark[]>`
    select b.id, b.video_id, b.title, b.access, ${isPublic(db)} as is_public, b.created_at,
           json_build_object('id', c.id, 'name', c.name, 'access', c.access) as collection,
           case when ch.id is not null then json_build_object('id', ch.id, 'name', ch.name) end as channel
      from videos v
      join bookmarks b on b.video_id = v.id and b.user_id = ${userId} and ${isNotTrashed(db)}
      join collections c on c.id = b.collection_id
      left join channels ch on ch.id = b.channel_id
     where v.canonical_hash = url_hash(${canonicalUrl}) and ${isNotRemoved(db)}
     order by b.created_at desc, b.id desc`
}

/**
 * Returns how many other users saved a visible video publicly, and the earliest of their bookmarks that the viewer may see.
 * Returns null if the viewer may see no such bookmark: only private ones, or only those of users who block the viewer or whom
 * the viewer blocks.
 */
export async function findOtherSaves(
  db: Db,
  viewer: Viewer,
  canonicalUrl: string,
): Promise<{ saves_count: number; bookmark_id: number } | null> {
  const [found] = await db<{ saves_count: number; bookmark_id: number }[]>`
    select v.saves_count - exists (
             select from bookmarks own where own.video_id = v.id and own.user_id = ${viewer.id} and ${isPublic(db, 'own')}
           )::int as saves_count, b.id as bookmark_id
      from videos v join bookmarks b on b.video_id = v.id and b.user_id <> ${viewer.id} and ${isVisible(db)}
     where v.canonical_hash = url_hash(${canonicalUrl}) and ${isVisibleVideo(db)}
       ${andNotHidden(db, db`b.user_id`, viewer)}
     order by b.id limit 1`
  return found ?? null
}

/**
 * Adds a video to the viewer's Watch Later, or removes it if it is there. Adding copies the viewer's own bookmark of the
 * video, otherwise the earliest one that they may see. Removing moves the bookmark to the trash, and adding it again restores
 * the same bookmark with what its owner entered.
 * @returns the bookmark's id; null once it is removed.
 * @throws ApiError('not-found') for a video that the viewer may not see, or that only users who blocked them saved.
 */
export async function toggleWatchLater(
  tx: TransactionSql,
  viewer: Viewer,
  videoId: number,
  collectionId: number,
  jobs: Jobs,
): Promise<number | null> {
  const userId = viewer.id
  // In lock order: after the collection, before the bookmarks.
  const [video] = await tx<{ id: number }[]>`
    select v.id from videos v where v.id = ${videoId} and ${canSeeVideo(tx, userId)} for no key update`
  if (video === undefined) throw new ApiError('not-found')
  const existing = await tx<{ id: number; is_in: boolean }[]>`
    select b.id, ${isNotTrashed(tx)} as is_in from bookmarks b
     where b.user_id = ${userId} and b.video_id = ${videoId} and b.collection_id = ${collectionId}
     order by is_in desc, b.deleted_at desc, b.id desc for no key update`
  const [first] = existing
  if (first?.is_in) {
    const ids = existing.filter(({ is_in }) => is_in).map(({ id }) => id)
    await tx`update bookmarks set deleted_at = now(), updated_at = now() where id = any (${ids}::bigint[])`
    return null
  }
  if (first !== undefined) {
    // Becomes the latest bookmark of the collection again.
    await tx`
      update bookmarks set deleted_at = null, created_at = now(), updated_at = now() where id = ${first.id}`
    return first.id
  }
  const [found] = await tx<(Omit<NewBookmark, 'access'> & { id: number })[]>`
    select b.id, ${copiedColumns(tx)} from bookmarks b
     where b.id = coalesce(
       (select own.id from bookmarks own
         where own.user_id = ${userId} and own.video_id = ${videoId} and ${isNotTrashed(tx, 'own')} order by own.id limit 1),
       (select other.id from bookmarks other
         where other.video_id = ${videoId} and ${isVisible(tx, 'other')} ${andNotBlockedByOwner(tx, tx`other.user_id`, viewer)}
         order by other.id limit 1))`
  if (found === undefined) throw new ApiError('not-found')
  const { id: sourceId, ...source } = found
  const destination: Destination = { collection_id: collectionId, channel_id: null, access: 'private' }
  const id = await insertBookmark(tx, userId, videoId, destination, { ...source, access: 'private' })
  await queueThumbnailCopies(tx, jobs, { from: [sourceId], to: [id] })
  return id
}
