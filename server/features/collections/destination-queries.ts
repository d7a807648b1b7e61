/** How other features find places: one's own collections, and the channels in them. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { ApiError } from '../../core/http/errors.ts'
import { thumbnailUrl } from '../../shared/bookmark-columns.ts'
import { canSeeCollection, canSeeInCollection } from '../../shared/visibility.ts'

export interface Destination {
  collection_id: number
  channel_id: number | null
  access: 'public' | 'private'
}

export interface DestinationInput {
  collection_id?: number | null | undefined
  channel_id?: number | null | undefined
}

/**
 * One's own collection, and the channel in it, locked until the transaction ends: first of all locks, and its access
 * stays what it is. Null where it is not there, not one's own, or neither is named.
 */
export async function lockOwnDestination(
  db: Db,
  userId: number,
  named: DestinationInput,
): Promise<Destination | null> {
  const { collection_id = null, channel_id = null } = named
  if (collection_id === null && channel_id === null) return null
  const [destination] = await db<Destination[]>`
    select c.id as collection_id, ${channel_id}::bigint as channel_id, c.access
      from collections c
     where c.user_id = ${userId} and c.id = coalesce(${collection_id}::bigint, c.id)
       and (${channel_id}::bigint is null
            or c.id = (select collection_id from channels where id = ${channel_id}::bigint))
       for no key update`
  return destination ?? null
}

/**
 * Locks all collections of somebody, by id: first of all locks, for whoever moves bookmarks between them. All, because
 * which ones bookmarks are in can change while the locks are waited for; and they are nobody else's to wait for.
 */
export async function lockOwnCollections(db: Db, userId: number): Promise<void> {
  await db`select from collections where user_id = ${userId} order by id for no key update`
}

/** 'Invalid pk', as Django REST framework says of what is not there or not one's own. */
export function invalidPkMessage(id: number | null | undefined): string {
  return `Invalid pk "${id}" - object does not exist.`
}

/** One's 'Watch Later', made on first use, locked until the transaction ends. It is private, and after all others. */
export async function lockWatchLater(db: Db, userId: number): Promise<number> {
  const find = () =>
    db<{ id: number }[]>`
      select id from collections where user_id = ${userId} and is_watch_later for no key update`
  const [there] = await find()
  if (there !== undefined) return there.id
  await db`
    insert into collections (user_id, name, access, position, is_watch_later)
    select ${userId}, 'Watch Later', 'private', coalesce(max(position) + 1, 0), true
      from collections where user_id = ${userId}
    on conflict (user_id) where is_watch_later do nothing`
  const [created] = await find()
  // Only one that was removed between the two statements gets here; whoever clicks again makes it anew.
  if (created === undefined) throw new ApiError('unavailable', {}, 1)
  return created.id
}

/**
 * The `picture` (url, orientation) of a place of collections `c`, for a join: that of the bookmark which its owner
 * chose, as long as it is in the place and the viewer may see it, else of the newest that has one.
 * @param inContainer which bookmarks `b` are in it
 */
export function joinCover(db: Db, me: number | null, inContainer: Fragment, chosen: Fragment): Fragment {
  const shown = db`select b.id, b.video_id, b.created_at, b.thumbnail_key, b.effective_orientation from bookmarks b
                    where ${inContainer} and ${canSeeInCollection(db, me)}`
  return db`left join lateral (
    select ${thumbnailUrl(db)} as url, b.effective_orientation as orientation
      from ((${shown} order by b.created_at desc, b.id desc limit 12) union all ${shown} and b.id = ${chosen}) b
      join videos v on v.id = b.video_id
     where coalesce(b.thumbnail_key, v.thumbnail_key) is not null
     order by (b.id = ${chosen}) is true desc, b.created_at desc, b.id desc limit 1) picture on true`
}

/** The first collections of users `u` that somebody may see, as a JSON list of CollectionInProfile. */
export function profileCollectionsJson(db: Db, me: number | null): Fragment {
  return db`(
    select coalesce(json_agg(json_build_object(
             'id', c.id, 'name', c.name, 'description', c.description, 'access', c.access,
             'display_image_url', picture.url, 'display_image_orientation', picture.orientation,
             'channels', (select coalesce(json_agg(json_build_object('id', ch.id, 'name', ch.name)
                                                   order by ch.position, ch.id), '[]')
                            from channels ch where ch.collection_id = c.id)) order by c.position, c.id), '[]')
      from (select * from collections c
             where c.user_id = u.id and ${canSeeCollection(db, me)}
             order by c.position, c.id limit ${limits.profileCollectionsMax}) c
      ${joinCover(db, me, db`b.collection_id = c.id`, db`c.cover_bookmark_id`)})`
}
