/** Finding and locking destinations, and the covers of collections, for all features. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
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
 * Locks a user's own collection, and the channel in it, until the transaction ends, so that its access cannot change. Must
 * be the first lock of the transaction. Returns null if it does not exist or is not the user's, or neither is named.
 */
export async function lockOwnDestination(
  db: Db,
  userId: number,
  named: DestinationInput,
): Promise<Destination | null> {
  const { collection_id = null, channel_id = null } = named
  if (collection_id === null && channel_id === null) return null
  const isChosen = db`c.user_id = ${userId} and c.id = coalesce(${collection_id}::bigint, c.id)`
  // The collection is locked first. A channel that was deleted while its collection was waited for is not found.
  const [destination] =
    channel_id === null
      ? await db<Destination[]>`
          select c.id as collection_id, null::bigint as channel_id, c.access from collections c
           where ${isChosen} for no key update`
      : await db<Destination[]>`
          select c.id as collection_id, ch.id as channel_id, c.access
            from collections c join channels ch on ch.collection_id = c.id
           where ${isChosen} and ch.id = ${channel_id} for no key update of c for key share of ch`
  return destination ?? null
}

/**
 * Locks all collections of a user, by id, before bookmarks are moved between them. Must be the first lock of the
 * transaction. Locks all, because bookmarks can move while the locks are waited for; other users do not wait for them.
 */
export async function lockOwnCollections(db: Db, userId: number): Promise<void> {
  await db`select from collections where user_id = ${userId} order by id for no key update`
}

/** Returns the error for a destination that lockOwnDestination() did not find, at the field that names it. */
export function unknownDestinationError({ collection_id, channel_id }: DestinationInput): InvalidFields {
  return new InvalidFields(
    (channel_id ?? null) === null
      ? { collection_id: [invalidPkMessage(collection_id)] }
      : { channel_id: [invalidPkMessage(channel_id)] },
  )
}

/** Returns the error text for an unknown id, worded as by Django REST framework. */
export function invalidPkMessage(id: number | null | undefined): string {
  return `Invalid pk "${id}" - object does not exist.`
}

/** Locks a user's Watch Later collection and returns its id. Creates it on first use, private and in the last position. */
export async function lockWatchLater(db: Db, userId: number): Promise<number> {
  const find = () =>
    db<{ id: number }[]>`
      select id from collections where user_id = ${userId} and is_watch_later for no key update`
  const [existing] = await find()
  if (existing !== undefined) return existing.id
  await db`
    insert into collections (user_id, name, access, position, is_watch_later)
    select ${userId}, 'Watch Later', 'private', coalesce(max(position) + 1, 0), true
      from collections where user_id = ${userId}
    on conflict (user_id) where is_watch_later do nothing`
  const [created] = await find()
  // Only a collection deleted between the two statements gets here; another attempt creates it.
  if (created === undefined) throw new ApiError('unavailable', {}, 1)
  return created.id
}

/**
 * Joins the cover of a collection or channel as `picture` (url, orientation, images): the bookmark that the owner chose if it
 * is in the container and the viewer may see it, else the newest one with a thumbnail. `images` is a JSON list of at most
 * four: of the chosen bookmark alone, else of the newest ones. Expects collections as `c`.
 * @param inContainer condition that selects the bookmarks `b` in it
 * @param chosen the id of the chosen bookmark
 */
export function joinCover(
  db: Db,
  viewerId: number | null,
  inContainer: Fragment,
  chosen: Fragment,
): Fragment {
  const visible = db`select b.id, b.video_id, b.created_at, b.thumbnail_key, b.effective_orientation from bookmarks b
                    where ${inContainer} and ${canSeeInCollection(db, viewerId)}`
  return db`left join lateral (
    select (array_agg(url))[1] as url, (array_agg(orientation))[1] as orientation,
           coalesce(json_agg(json_build_object('url', url, 'orientation', orientation))
                      filter (where is_chosen or not has_chosen), '[]') as images
      from (
        select ${thumbnailUrl(db)} as url, b.effective_orientation as orientation, (b.id = ${chosen}) is true as is_chosen,
               bool_or((b.id = ${chosen}) is true) over () as has_chosen
          from ((${visible} order by b.created_at desc, b.id desc limit 12) union ${visible} and b.id = ${chosen}) b
          join videos v on v.id = b.video_id
         where coalesce(b.thumbnail_key, v.thumbnail_key) is not null
         order by is_chosen desc, b.created_at desc, b.id desc limit 4) shown) picture on true`
}

/** The first collections of users `u` that the viewer may see, as a JSON list of `CollectionInProfile`. */
export function profileCollectionsJson(db: Db, viewerId: number | null): Fragment {
  return db`(
    select coalesce(json_agg(json_build_object(
             'id', c.id, 'name', c.name, 'description', c.description, 'access', c.access,
             'display_image_url', picture.url, 'display_image_orientation', picture.orientation,
             'channels', (select coalesce(json_agg(json_build_object('id', ch.id, 'name', ch.name)
                                                   order by ch.position, ch.id), '[]')
                            from channels ch where ch.collection_id = c.id)) order by c.position, c.id), '[]')
      from (select * from collections c
             where c.user_id = u.id and ${canSeeCollection(db, viewerId)}
             order by c.position, c.id limit ${limits.profileCollectionsMax}) c
      ${joinCover(db, viewerId, db`b.collection_id = c.id`, db`c.cover_bookmark_id`)})`
}
