import type { FollowedList } from '@reelmark/contract/followed-lists.ts'
import type { FollowStatus } from '@reelmark/contract/follows.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { containerFollowersCount, isContainerFollowed } from '../../../shared/followed-lists.ts'
import type { OrderedList } from '../../../shared/order-keys.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { canSeeCollection } from '../../../shared/visibility.ts'

export type ContainerStatus = FollowStatus & { user_id: number }

/** `from …`: the collection `c` with an id, or the channel `ch` with an id and its collection `c`. */
function fromContainers(db: Db, { kind, id }: OrderedList): Fragment {
  return kind === 'collection'
    ? db`collections c where c.id = ${id}`
    : db`channels ch join collections c on c.id = ch.collection_id where ch.id = ${id}`
}

/**
 * Locks a container against deletion, then its owner and the follower in the order of their ids. A block locks both users in the
 * same way, so that a follow and a block at the same time leave no follow.
 */
export async function lockContainer(
  tx: TransactionSql,
  viewerId: number,
  container: OrderedList,
): Promise<void> {
  await tx`
    with found as materialized (select c.user_id from ${fromContainers(tx, container)} for key share)
    select from users where id = ${viewerId} or id = (select user_id from found) order by id for no key update`
}

/**
 * Follows or unfollows a collection or channel. Does nothing if the viewer owns it, or already follows
 * `limits.followedListsMax` lists. Expects the locks of lockContainer().
 * @returns the status afterwards; null if the viewer may not see the collection or channel
 */
export async function setContainerFollow(
  tx: TransactionSql,
  viewer: Viewer,
  container: OrderedList,
  action: 'follow' | 'unfollow',
): Promise<ContainerStatus | null> {
  const { kind, id } = container
  const column = tx(`${kind}_id`)
  if (action === 'unfollow') {
    await tx`
      delete from followed_lists f
       where f.user_id = ${viewer.id} and f.${column} = ${id} and exists (${visibleContainer(tx, viewer, container)})`
  } else {
    await tx`
      insert into followed_lists (user_id, ${column})
      select ${viewer.id}, ${id} from (${visibleContainer(tx, viewer, container)}) found
       where found.user_id <> ${viewer.id} and ${hasRoom(tx, viewer.id)}
      on conflict do nothing`
  }
  const [status] = await tx<ContainerStatus[]>`
    select found.user_id, ${isContainerFollowed(tx, kind, tx`${id}`, viewer.id)} as is_followed,
           ${containerFollowersCount(tx, kind, tx`${id}`, viewer)} as followers_count
      from (${visibleContainer(tx, viewer, container)}) found join users u on u.id = found.user_id`
  return status ?? null
}

/** Selects the `user_id` of the owner of a container if the viewer may see it. A block in either direction hides it. */
function visibleContainer(db: Db, viewer: Viewer, container: OrderedList): Fragment {
  return db`select c.user_id from ${fromContainers(db, container)} and ${isVisibleTo(db, viewer.id)}`
}

/** The condition that a user may see collections `c` and follow them. */
function isVisibleTo(db: Db, userId: number): Fragment {
  return db`${canSeeCollection(db, userId)} and not is_blocked_between(${userId}, c.user_id)
    and (select owner.banned_at is null from users owner where owner.id = c.user_id)`
}

/** The condition that a user follows fewer lists than the maximum. */
function hasRoom(db: Db, userId: number): Fragment {
  return db`(select count(*) from followed_lists where user_id = ${userId}) < ${limits.followedListsMax}`
}

/** Locks the viewer, so that requests at the same time cannot exceed the maximum number of followed lists. */
export async function lockUser(tx: TransactionSql, viewerId: number): Promise<void> {
  await tx`select from users where id = ${viewerId} for no key update`
}

/** Follows a tag. Returns false if the viewer follows the maximum number of lists. Expects the lock of lockUser(). */
export async function followTag(tx: TransactionSql, viewerId: number, tag: string): Promise<boolean> {
  await tx`
    insert into followed_lists (user_id, tag) select ${viewerId}, ${tag} where ${hasRoom(tx, viewerId)}
    on conflict do nothing`
  return isTagFollowed(tx, viewerId, tag)
}

export async function unfollowTag(db: Db, viewerId: number, tag: string): Promise<void> {
  await db`delete from followed_lists where user_id = ${viewerId} and tag = ${tag}`
}

export async function isTagFollowed(db: Db, viewerId: number, tag: string): Promise<boolean> {
  return (await db`select from followed_lists where user_id = ${viewerId} and tag = ${tag}`).length === 1
}

type FollowedListRow = FollowedList & { key: number }

/** Returns a page of the lists that a user follows, latest follow first. Leaves out lists that the user may no longer see. */
export async function listFollowedLists(
  db: Db,
  viewerId: number,
  request: PageRequest,
  kind: 'container' | 'tag' | undefined,
): Promise<{ count: number; rows: FollowedListRow[] }> {
  const isKind = kind === undefined ? db`true` : kind === 'tag' ? db`f.tag is not null` : db`f.tag is null`
  const listed = db`
      from followed_lists f
      left join channels ch on ch.id = f.channel_id
      left join collections c on c.id = coalesce(f.collection_id, ch.collection_id)
     where f.user_id = ${viewerId} and ${isKind} and (f.tag is not null or ${isVisibleTo(db, viewerId)})`
  const rows = await db<(FollowedListRow & { count: number })[]>`
    select total.count, page.*
      from (select count(*) ${listed}) total
      left join (
        select f.id, case when ch.id is not null then 'channel' when c.id is not null then 'collection' else 'tag' end as kind,
               coalesce(ch.name, c.name, f.tag) as name, coalesce(ch.id, c.id) as container_id,
               case when ch.id is not null then c.name end as collection_name,
               (select ${userSummary(db, 'u')} from users u where u.id = c.user_id) as user,
               f.created_at as followed_at, ${cursorKey(db, db`f.created_at`)} as key
          ${listed} ${timeOrderedPage(db, request, db`f.created_at`, db`f.id`)}) page on true
     order by page.key desc, page.id desc`
  const { count, results } = splitCount(rows)
  return { count, rows: results }
}
