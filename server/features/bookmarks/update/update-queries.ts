/**
 * Updates of own bookmarks, one or many at once. Each is one transaction that first takes its locks in the usual order and
 * then changes the bookmarks with one statement, so that the triggers lock tags once and by name, without deadlocks.
 */

import type { BulkResult, PreviousState } from '@reelmark/contract/bookmark-changes.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import {
  type Destination,
  type DestinationInput,
  invalidPkMessage,
  lockOwnCollections,
  lockOwnDestination,
} from '../../collections/destination-queries.ts'
import { type Facts, factColumns } from '../facts.ts'
import { adultOrientationText } from '../save/rules.ts'
import { canSeeBookmark, isInLibrary, isNotRemoved, isNotTrashed, isTrashed } from '../visibility.ts'

/** Locks what changing these bookmarks will touch, and returns the ids of those that are the user's own. */
export async function lockOwnBookmarks(tx: TransactionSql, userId: number, ids: number[]): Promise<number[]> {
  await lockOwnCollections(tx, userId)
  const own = await tx<{ id: number }[]>`
    select id from bookmarks where id = any (${ids}::bigint[]) and user_id = ${userId}`
  const found = own.map(({ id }) => id)
  await tx`select lock_bookmarks(${found}::bigint[])`
  return found
}

export type BulkUpdate =
  | { action: 'move'; destination: Destination }
  | { action: 'tag' | 'untag'; tags: string[] }
  | { action: 'access'; access: 'public' | 'private' }
  | { action: 'trash' | 'restore' | 'remove' }
  | { action: 'undo'; before: readonly PreviousState[] }

/** Changes bookmarks that lockOwnBookmarks() locked. Failures of some bookmarks do not affect the others. */
export async function bulkUpdateBookmarks(
  tx: TransactionSql,
  userId: number,
  ids: number[],
  change: BulkUpdate,
): Promise<BulkResult> {
  const { action } = change
  const { target, set } = bulkColumns(tx, change)
  const needsTrashed = action === 'restore' || action === 'remove'
  const isDeletion = action === 'trash' || action === 'remove'
  const rows = await tx<(BulkResult['failed'][number] & { is_same: boolean; before: PreviousState })[]>`
    with target as (
      select b.id, b.video_id, ${target},
             json_build_object('id', b.id, 'collection_id', b.collection_id, 'channel_id', b.channel_id,
                               'access', b.access) as before
        from bookmarks b
        join videos v on v.id = b.video_id and ${isNotRemoved(tx)}
        join collections c on c.id = b.collection_id
        ${action === 'undo' ? joinPreviousDestinations(tx, userId, change.before) : tx``}
       where b.id = any (${ids}::bigint[]) and b.user_id = ${userId}
         and ${needsTrashed ? isTrashed(tx) : isNotTrashed(tx)}
    ), placed as (
      -- If several bookmarks of one video get the same destination, the one that is there stays, else the first wins.
      select t.*, coalesce(o.id, nullif(first_value(t.id) over (
               partition by t.video_id, t.collection_id, t.channel_id order by t.id), t.id)) as occupant
        from target t
        left join bookmarks o
          on o.user_id = ${userId} and o.video_id = t.video_id and o.collection_id = t.collection_id
         and o.channel_id is not distinct from t.channel_id and ${isNotTrashed(tx, 'o')}
    ), checked as (
      select p.*, case when cardinality(p.tags) > ${limits.tagsMax} then 'too-many-tags'
                       when p.occupant <> p.id and not ${isDeletion} then 'already-saved' end as reason
        from placed p
    ), changed as (
      ${action === 'remove' ? tx`delete from bookmarks b using checked j` : tx`update bookmarks b set ${set}, updated_at = now() from checked j`}
       where b.id = j.id and j.reason is null and not j.is_same
    )
    select id, reason, is_same, case when reason = 'already-saved' then occupant end as bookmark_id, before
      from checked order by id`
  const found = new Set(rows.map(({ id }) => id))
  const succeeded = rows.filter(({ reason }) => reason === null)
  const changed = succeeded.filter(({ is_same }) => !is_same)
  return {
    changed: changed.length,
    unchanged: succeeded.length - changed.length,
    failed: [
      ...rows.filter(({ reason }) => reason !== null),
      ...ids
        .filter((id) => !found.has(id))
        .map((id) => ({ id, reason: 'not-found' as const, bookmark_id: null })),
    ],
    before: action === 'move' || action === 'access' ? changed.map(({ before }) => before) : [],
  }
}

/** Joins bookmarks `b` with their previous state `was`, if its destination still exists and is the user's own. */
function joinPreviousDestinations(db: Db, userId: number, before: readonly PreviousState[]): Fragment {
  const column = <K extends keyof PreviousState>(name: K) => before.map((state) => state[name])
  return db`
    join unnest(${column('id')}::bigint[], ${column('collection_id')}::bigint[], ${column('channel_id')}::bigint[],
                ${column('access')}::text[]) as was (id, collection_id, channel_id, access) on was.id = b.id
    join collections home on home.id = was.collection_id and home.user_id = ${userId}
     and (was.channel_id is null
          or exists (select from channels where id = was.channel_id and collection_id = home.id))`
}

/** Returns the new values of bookmarks `b` in collections `c` (`target`), and the assignments that set them (`set`). */
function bulkColumns(db: Db, change: BulkUpdate): { target: Fragment; set: Fragment } {
  const destination = db`b.collection_id, b.channel_id`
  switch (change.action) {
    case 'move': {
      const { collection_id, channel_id, access } = change.destination
      return {
        // A bookmark that leaves a private collection becomes private, so that it stays hidden.
        target: db`${collection_id}::bigint as collection_id, ${channel_id}::bigint as channel_id, b.tags,
          case when c.access = 'private' and ${access} = 'public' then 'private' else b.access end as access,
          (b.collection_id, b.channel_id) is not distinct from (${collection_id}::bigint, ${channel_id}::bigint)
            as is_same`,
        set: db`collection_id = j.collection_id, channel_id = j.channel_id, access = j.access`,
      }
    }
    case 'undo':
      return {
        target: db`was.collection_id, was.channel_id, b.tags, was.access,
          (b.collection_id, b.channel_id, b.access)
            is not distinct from (was.collection_id, was.channel_id, was.access) as is_same`,
        set: db`collection_id = j.collection_id, channel_id = j.channel_id, access = j.access`,
      }
    case 'tag':
    case 'untag': {
      const named = db`${change.tags}::text[]`
      const tags =
        change.action === 'tag'
          ? db`b.tags || array(select tag from unnest(${named}) with ordinality as n (tag, position)
                                where tag <> all (b.tags) order by position)`
          : db`array(select tag from unnest(b.tags) with ordinality as n (tag, position)
                      where tag <> all (${named}) order by position)`
      return {
        target: db`${destination}, ${tags} as tags, b.access, b.tags = ${tags} as is_same`,
        set: db`tags = j.tags`,
      }
    }
    case 'access':
      return {
        target: db`${destination}, b.tags, ${change.access} as access, b.access = ${change.access} as is_same`,
        set: db`access = j.access`,
      }
    case 'trash':
    case 'restore':
    case 'remove':
      return {
        target: db`${destination}, b.tags, b.access, false as is_same`,
        set: change.action === 'trash' ? db`deleted_at = now()` : db`deleted_at = null`,
      }
  }
}

export interface BookmarkChanges extends DestinationInput, Partial<Facts> {
  title?: string
  description?: string
  tags?: string[]
  orientation?: Orientation
  access?: 'public' | 'private'
  hold_reason?: string
}

/**
 * Changes a user's own bookmark; fields that are missing stay unchanged.
 * @returns whether a new thumbnail link must be fetched
 * @throws ApiError('not-found'), ('forbidden') for another user's bookmark that the viewer may see, ('already-saved');
 *   InvalidFields for a destination that is not the user's, and for `sfw` on a link to an adult site.
 */
export async function updateBookmark(
  tx: TransactionSql,
  viewer: { id: number; is_moderator: boolean },
  id: number,
  changes: BookmarkChanges,
): Promise<boolean> {
  await lockOwnBookmarks(tx, viewer.id, [id])
  const [own] = await tx<OwnBookmark[]>`
    select b.collection_id, b.channel_id, c.access, b.orientation, v.source_url, b.embed_url, b.thumbnail_source_url,
           (select row_to_json(facts) from (select ${tx.unsafe(factColumns.map((name) => `v.${name}`).join(', '))}) facts)
             as video_facts
      from bookmarks b join videos v on v.id = b.video_id join collections c on c.id = b.collection_id
     where b.id = ${id} and b.user_id = ${viewer.id} and ${isInLibrary(tx)}`
  if (own === undefined) throw await accessError(tx, viewer, id)
  requireValidOrientation(own, changes)
  const { collection_id, channel_id, ...rest } = changes
  const row: Record<string, unknown> = rest
  for (const column of factColumns) {
    // A value that the video has, too, is not stored as the owner's.
    if (rest[column] !== undefined && rest[column] === own.video_facts[column]) row[column] = null
  }
  const link = row.thumbnail_source_url
  const hasNewPicture = link !== undefined && link !== own.thumbnail_source_url
  if (hasNewPicture) {
    Object.assign(row, { thumbnail_key: null, thumbnail_large_key: null, thumbnail_hash: null })
    row.thumbnail_state = link === null ? 'none' : 'pending'
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
    await tx`update bookmarks set ${tx(row)}, updated_at = now() where id = ${id}`
  }
  return hasNewPicture && link !== null
}

type OwnBookmark = Destination &
  Pick<Facts, 'embed_url' | 'thumbnail_source_url'> & {
    orientation: Orientation
    source_url: string
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
  if (destination !== null) return destination
  throw new InvalidFields(
    channel_id === null
      ? { collection_id: [invalidPkMessage(collection_id)] }
      : { channel_id: [invalidPkMessage(channel_id)] },
  )
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
export async function accessError(
  db: Db,
  viewer: { id: number; is_moderator: boolean },
  id: number,
): Promise<ApiError> {
  const visible = await db`
    select from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and b.user_id <> ${viewer.id} and ${canSeeBookmark(db, viewer)}`
  return new ApiError(visible.count > 0 ? 'forbidden' : 'not-found')
}
