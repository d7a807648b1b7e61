/**
 * What people do with bookmarks of their own, one or many. Each is one transaction whose locks come first, in the order
 * of all, and whose changes are one statement: the triggers lock tags once, by name, and nobody waits in a circle.
 */

import type { BulkResult, PreviousState } from '@reelmark/contract/bookmark-changes.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import {
  canSeeBookmark,
  isInLibrary,
  isNotRemoved,
  isNotTrashed,
  isTrashed,
} from '../../../shared/visibility.ts'
import {
  type Destination,
  type DestinationInput,
  invalidPkMessage,
  lockOwnCollections,
  lockOwnDestination,
} from '../../collections/public-api.ts'
import { type Facts, factColumns } from '../facts.ts'
import { adultOrientationText } from '../save/rules.ts'

/** Locks what changing these bookmarks will touch; those of them that are one's own. */
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
  | { action: 'put-back'; before: readonly PreviousState[] }

/** Does one thing with bookmarks that lockOwnBookmarks() locked. What cannot be done to one is done to the others. */
export async function bulkUpdateBookmarks(
  tx: TransactionSql,
  userId: number,
  ids: number[],
  change: BulkUpdate,
): Promise<BulkResult> {
  const { action } = change
  const { wanted, set } = bulkChangeColumns(tx, change)
  const isOfTrash = action === 'restore' || action === 'remove'
  const isLeaving = action === 'trash' || action === 'remove'
  const rows = await tx<(BulkResult['failed'][number] & { is_same: boolean; before: PreviousState })[]>`
    with wanted as (
      select b.id, b.video_id, ${wanted},
             json_build_object('id', b.id, 'collection_id', b.collection_id, 'channel_id', b.channel_id,
                               'access', b.access) as before
        from bookmarks b
        join videos v on v.id = b.video_id and ${isNotRemoved(tx)}
        join collections c on c.id = b.collection_id
        ${action === 'put-back' ? joinPreviousPlaces(tx, userId, change.before) : tx``}
       where b.id = any (${ids}::bigint[]) and b.user_id = ${userId}
         and ${isOfTrash ? isTrashed(tx) : isNotTrashed(tx)}
    ), placed as (
      -- Of several of one video for one place the one that is there stays, else the first goes.
      select w.*, coalesce(o.id, nullif(first_value(w.id) over (
               partition by w.video_id, w.collection_id, w.channel_id order by w.id), w.id)) as occupant
        from wanted w
        left join bookmarks o
          on o.user_id = ${userId} and o.video_id = w.video_id and o.collection_id = w.collection_id
         and o.channel_id is not distinct from w.channel_id and ${isNotTrashed(tx, 'o')}
    ), judged as (
      select p.*, case when cardinality(p.tags) > ${limits.tagsMax} then 'too-many-tags'
                       when p.occupant <> p.id and not ${isLeaving} then 'already-saved' end as reason
        from placed p
    ), changed as (
      ${action === 'remove' ? tx`delete from bookmarks b using judged j` : tx`update bookmarks b set ${set}, updated_at = now() from judged j`}
       where b.id = j.id and j.reason is null and not j.is_same
    )
    select id, reason, is_same, case when reason = 'already-saved' then occupant end as bookmark_id, before
      from judged order by id`
  const found = new Set(rows.map(({ id }) => id))
  const done = rows.filter(({ reason }) => reason === null)
  const changed = done.filter(({ is_same }) => !is_same)
  return {
    changed: changed.length,
    unchanged: done.length - changed.length,
    failed: [
      ...rows.filter(({ reason }) => reason !== null),
      ...ids
        .filter((id) => !found.has(id))
        .map((id) => ({ id, reason: 'not-found' as const, bookmark_id: null })),
    ],
    before: action === 'move' || action === 'access' ? changed.map(({ before }) => before) : [],
  }
}

/** Joins bookmarks `b` with where they were, `was`; only places that are there and one's own. */
function joinPreviousPlaces(db: Db, userId: number, before: readonly PreviousState[]): Fragment {
  const column = <K extends keyof PreviousState>(name: K) => before.map((each) => each[name])
  return db`
    join unnest(${column('id')}::bigint[], ${column('collection_id')}::bigint[], ${column('channel_id')}::bigint[],
                ${column('access')}::text[]) as was (id, collection_id, channel_id, access) on was.id = b.id
    join collections home on home.id = was.collection_id and home.user_id = ${userId}
     and (was.channel_id is null
          or exists (select from channels where id = was.channel_id and collection_id = home.id))`
}

/** What bookmarks `b` in collections `c` are to become, and the columns that change to it. */
function bulkChangeColumns(db: Db, change: BulkUpdate): { wanted: Fragment; set: Fragment } {
  const destination = db`b.collection_id, b.channel_id`
  switch (change.action) {
    case 'move': {
      const { collection_id, channel_id, access } = change.destination
      return {
        // What a private collection hid stays hidden.
        wanted: db`${collection_id}::bigint as collection_id, ${channel_id}::bigint as channel_id, b.tags,
          case when c.access = 'private' and ${access} = 'public' then 'private' else b.access end as access,
          (b.collection_id, b.channel_id) is not distinct from (${collection_id}::bigint, ${channel_id}::bigint)
            as is_same`,
        set: db`collection_id = j.collection_id, channel_id = j.channel_id, access = j.access`,
      }
    }
    case 'put-back':
      return {
        wanted: db`was.collection_id, was.channel_id, b.tags, was.access,
          (b.collection_id, b.channel_id, b.access)
            is not distinct from (was.collection_id, was.channel_id, was.access) as is_same`,
        set: db`collection_id = j.collection_id, channel_id = j.channel_id, access = j.access`,
      }
    case 'tag':
    case 'untag': {
      const named = db`${change.tags}::text[]`
      const tags =
        change.action === 'tag'
          ? db`b.tags || array(select tag from unnest(${named}) with ordinality as n (tag, place)
                                where tag <> all (b.tags) order by place)`
          : db`array(select tag from unnest(b.tags) with ordinality as n (tag, place)
                      where tag <> all (${named}) order by place)`
      return {
        wanted: db`${destination}, ${tags} as tags, b.access, b.tags = ${tags} as is_same`,
        set: db`tags = j.tags`,
      }
    }
    case 'access':
      return {
        wanted: db`${destination}, b.tags, ${change.access} as access, b.access = ${change.access} as is_same`,
        set: db`access = j.access`,
      }
    case 'trash':
    case 'restore':
    case 'remove':
      return {
        wanted: db`${destination}, b.tags, b.access, false as is_same`,
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
 * Changes a user's own bookmark; what is not given stays.
 * @returns whether a new thumbnail link has to be fetched for it
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
  requireFitOrientation(own, changes)
  const { collection_id, channel_id, ...rest } = changes
  const row: Record<string, unknown> = rest
  for (const column of factColumns) {
    // What the video has anyway is not the owner's own.
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

/** Only what is changed is checked: a host may have become known as an adult site since the bookmark was saved. */
function requireFitOrientation(own: OwnBookmark, { orientation, embed_url }: BookmarkChanges): void {
  if (orientation !== 'sfw' && (embed_url === undefined || (orientation ?? own.orientation) !== 'sfw')) return
  const links = [...(orientation === 'sfw' ? [own.source_url] : []), embed_url ?? own.embed_url]
  if (links.some(isAdultLink)) throw new InvalidFields({ orientation: [adultOrientationText] })
}

/** `channel_id: null` alone takes it out of its channel. */
async function resolveDestination(
  tx: TransactionSql,
  userId: number,
  own: Destination,
  { collection_id, channel_id = null }: DestinationInput,
): Promise<Destination> {
  const inOwn = collection_id === undefined && channel_id === null
  const place = await lockOwnDestination(tx, userId, {
    collection_id: inOwn ? own.collection_id : (collection_id ?? null),
    channel_id,
  })
  if (place !== null) return place
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
  place: Destination,
): Promise<void> {
  const [there] = await tx<{ id: number }[]>`
    select o.id from bookmarks o join bookmarks b on b.id = ${id} and b.video_id = o.video_id
     where o.user_id = ${userId} and o.collection_id = ${place.collection_id}
       and o.channel_id is not distinct from ${place.channel_id}::bigint and ${isNotTrashed(tx, 'o')} and o.id <> ${id}`
  if (there !== undefined) throw new ApiError('already-saved', { bookmark_id: there.id })
}

/** Why somebody may not change a bookmark: it is not theirs, or as far as they are told not there. */
export async function accessError(
  db: Db,
  viewer: { id: number; is_moderator: boolean },
  id: number,
): Promise<ApiError> {
  const seen = await db`
    select from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and b.user_id <> ${viewer.id} and ${canSeeBookmark(db, viewer)}`
  return new ApiError(seen.count > 0 ? 'forbidden' : 'not-found')
}
