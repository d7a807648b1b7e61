/** Imports the collections, channels and tags that a user follows. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db } from '../../core/database/database.ts'
import { selectNamedUser } from '../../shared/usernames.ts'
import { canSeeCollection } from '../../shared/visibility.ts'
import { canUseName, type ListOutcome } from './import-user-data.ts'

interface NamedCollection {
  username: string
  collection: string
  /** Null: the whole collection is followed. */
  channel: string | null
  created_at: string
}

/**
 * Imports followed collections and channels of other users, by name: the oldest ones that the user may see. Locks them, and then
 * the users in the order in which a follow locks them. Returns the outcome of each, null for those not found.
 */
export async function importFollowedCollections(
  tx: Db,
  userId: number,
  named: readonly NamedCollection[],
): Promise<(ListOutcome | null)[]> {
  const found = await tx<Omit<FoundList, 'tag'>[]>`
    select r.position, r.created_at, list.collection_id, list.channel_id
      from json_to_recordset(${JSON.stringify(named.map((item, position) => ({ ...item, position })))}::text::json)
             as r (position int, username text, collection text, channel text, created_at text)
     cross join lateral (
       select case when ch.id is null then c.id end as collection_id, ch.id as channel_id
         from users u join collections c on c.user_id = u.id and c.name = r.collection
         left join channels ch on ch.collection_id = c.id and ch.name = r.channel
        where u.id = ${selectNamedUser(tx, tx`r.username`)} and u.id <> ${userId} and u.banned_at is null
          and ${canUseName(tx, userId, tx`r.username`)}
          and ${canSeeCollection(tx, userId)} and (ch.id is not null or r.channel is null)
        order by c.id, ch.id limit 1) list`
  const ids = (column: 'collection_id' | 'channel_id') => found.flatMap((list) => list[column] ?? [])
  await tx`
    with of_collections as materialized (
      select c.user_id from collections c where c.id = any (${ids('collection_id')}::bigint[]) order by c.id for key share
    ), of_channels as materialized (
      select c.user_id from channels ch join collections c on c.id = ch.collection_id
       where ch.id = any (${ids('channel_id')}::bigint[]) order by ch.id for key share
    )
    select from users
     where id = ${userId} or id in (select user_id from of_collections union all select user_id from of_channels)
     order by id for no key update`
  const outcomes = await insertLists(
    tx,
    userId,
    found.map((list) => ({ ...list, tag: null })),
  )
  return named.map((_, position) => outcomes.get(position) ?? null)
}

/** Imports followed tags, and returns the outcome of each. */
export async function importFollowedTags(
  tx: Db,
  userId: number,
  tags: readonly { tag: string; created_at: string }[],
): Promise<(ListOutcome | null)[]> {
  await tx`select from users where id = ${userId} for no key update`
  const lists = tags.map((tag, position) => ({ ...tag, position, collection_id: null, channel_id: null }))
  const outcomes = await insertLists(tx, userId, lists)
  return tags.map((_, position) => outcomes.get(position) ?? null)
}

interface FoundList {
  /** The index in the file. */
  position: number
  collection_id: number | null
  channel_id: number | null
  tag: string | null
  created_at: string
}

/**
 * Inserts lists up to the limit, except those of users whom a block separates from the user. Expects all locks.
 * @returns the outcomes by position
 */
async function insertLists(
  tx: Db,
  userId: number,
  lists: readonly FoundList[],
): Promise<Map<number, ListOutcome>> {
  const rows = await tx<(ListOutcome & { position: number })[]>`
    with records as (
      select r.*, f.id is not null as exists_already
        from json_to_recordset(${JSON.stringify(lists)}::text::json)
               as r (position int, collection_id bigint, channel_id bigint, tag text, created_at timestamptz)
        left join channels ch on ch.id = r.channel_id
        left join collections c on c.id = coalesce(r.collection_id, ch.collection_id)
        left join followed_lists f
          on f.user_id = ${userId} and (f.collection_id = r.collection_id or f.channel_id = r.channel_id or f.tag = r.tag)
       where r.tag is not null or (c.id is not null and not is_blocked_between(c.user_id, ${userId}))
    ), created as (
      insert into followed_lists (user_id, collection_id, channel_id, tag, created_at)
      select ${userId}, collection_id, channel_id, tag, created_at from records where not exists_already
       order by created_at, position
       limit greatest(0, ${limits.followedListsMax} - (select count(*) from followed_lists where user_id = ${userId}))
      on conflict do nothing
      returning id, collection_id, channel_id, tag
    )
    select position, created.id,
           case when exists_already then 'duplicate' when created.id is null then 'too-many' else 'added' end as outcome
      from records
      left join created on created.collection_id = records.collection_id or created.channel_id = records.channel_id
                        or created.tag = records.tag`
  return new Map(rows.map(({ position, ...outcome }) => [position, outcome]))
}
