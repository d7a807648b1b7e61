import type { Pin } from '@reelmark/contract/pins.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { thumbnailUrl } from '../../../shared/bookmark-columns.ts'
import { isWatchedBy } from '../../../shared/viewer-marks.ts'
import { canSeeCollection, canSeePinned, isPublicCollection, isVisible } from '../../../shared/visibility.ts'
import { joinCover } from '../../collections/public-api.ts'

/** What users `u` pinned and a viewer (null: a visitor) may see, as a JSON list of `Pin`. */
export function pinsJson(db: Db, viewerId: number | null): Fragment {
  const isWatched = viewerId === null ? db`false` : isWatchedBy(db, db`${viewerId}::bigint`)
  return db`(
    select coalesce(json_agg(json_build_object(
             'kind', pinned.kind, 'id', pinned.id, 'title', pinned.title, 'images', pinned.images,
             'is_public', pinned.is_public ${viewerId === null ? db`` : db`, 'is_watched', pinned.is_watched`}
           ) order by i.position), '[]')
      from profile_pins i
      cross join lateral (
        select 'bookmark' as kind, b.id, b.title, ${isVisible(db)} as is_public,
               json_build_array(json_build_object(
                 'url', ${thumbnailUrl(db)}, 'orientation', b.effective_orientation)) as images,
               ${isWatched} as is_watched
          from bookmarks b join videos v on v.id = b.video_id
         where b.id = i.bookmark_id and ${canSeePinned(db, viewerId)}
        union all
        select 'collection', c.id, c.name, ${isPublicCollection(db)}, coalesce(picture.images, '[]'), false
          from collections c ${joinCover(db, viewerId, db`b.collection_id = c.id`, db`c.cover_bookmark_id`)}
         where c.id = i.collection_id and ${canSeeCollection(db, viewerId)}) pinned
     where i.user_id = u.id)`
}

/** Returns what a user pinned, as the user sees it. */
export async function listOwnPins(db: Db, userId: number): Promise<Pin[]> {
  const [row] = await db<[{ pins: Pin[] }]>`
    select ${pinsJson(db, userId)} as pins from users u where u.id = ${userId}`
  return row.pins
}

type PinnedItem = Pick<Pin, 'kind' | 'id'>

/**
 * Replaces what a user pinned. Returns those of the items that are not bookmarks in the user's library or collections of the
 * user; if there are any, the transaction must be rolled back. The lock of the user's row prevents concurrent requests from
 * pinning both of their lists. The locks of the items, taken before the pins as by a deletion, wait for a concurrent deletion:
 * what it deleted is then one of the returned items, and not a violated foreign key or a deadlock.
 */
export async function replacePins(
  tx: TransactionSql,
  userId: number,
  items: readonly PinnedItem[],
): Promise<PinnedItem[]> {
  const idsOf = (kind: Pin['kind']) => items.filter((item) => item.kind === kind).map(({ id }) => id)
  await tx`
    select from collections where id = any (${idsOf('collection')}::bigint[]) and user_id = ${userId}
     order by id for key share`
  // Not for key share: a merge, which moves pins before it deletes a bookmark, is waited for as well.
  await tx`
    select from bookmarks where id = any (${idsOf('bookmark')}::bigint[]) and user_id = ${userId}
     order by id for no key update`
  await tx`select from users where id = ${userId} for no key update`
  await tx`delete from profile_pins where user_id = ${userId}`
  const pinned = await tx<{ position: number }[]>`
    insert into profile_pins (user_id, position, bookmark_id, collection_id)
    select ${userId}, item.position, own.bookmark_id, own.collection_id
      from unnest(${items.map(({ kind }) => kind)}::text[], ${items.map(({ id }) => id)}::bigint[])
             with ordinality as item (kind, id, position)
      cross join lateral (
        select b.id as bookmark_id, null::bigint as collection_id from bookmarks b join videos v on v.id = b.video_id
         where item.kind = 'bookmark' and b.id = item.id and b.user_id = ${userId} and ${canSeePinned(tx, userId)}
        union all
        select null, c.id from collections c
         where item.kind = 'collection' and c.id = item.id and c.user_id = ${userId}) own
    returning position`
  const positions = new Set(pinned.map(({ position }) => position))
  return items.filter((_, index) => !positions.has(index + 1))
}
