/** Queries for the subscriptions of a user. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Subscription } from '@reelmark/contract/subscriptions.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'

/** The columns of subscriptions `s` as their user sees them. */
function subscriptionColumns(db: Db): Fragment {
  return db`s.id, s.url, s.title, s.access, s.paused_at is not null as is_paused, s.saved_count, s.checked_at, s.created_at,
    case when s.collection_id is null then 'Its collection was deleted. Choose another one.' else s.problem end as problem,
    (select json_build_object('id', c.id, 'name', c.name) from collections c where c.id = s.collection_id) as collection,
    (select json_build_object('id', ch.id, 'name', ch.name) from channels ch where ch.id = s.channel_id) as channel`
}

export async function listSubscriptions(db: Db, userId: number): Promise<Subscription[]> {
  return db<Subscription[]>`
    select ${subscriptionColumns(db)} from subscriptions s where s.user_id = ${userId} order by s.id desc`
}

interface NewSubscription {
  user_id: number
  url: string
  host: string
  collection_id: number
  channel_id: number | null
  access: Subscription['access']
}

/**
 * Creates a subscription, or changes the existing one to the same address. The user's lock makes the limit exact.
 * @returns null if the user has the maximum number
 */
export async function createSubscription(tx: Db, row: NewSubscription): Promise<Subscription | null> {
  await tx`select from users where id = ${row.user_id} for no key update`
  const [created] = await tx<Subscription[]>`
    with created as (
      insert into subscriptions (user_id, url, host, collection_id, channel_id, access)
      select ${row.user_id}, ${row.url}, ${row.host}, ${row.collection_id}, ${row.channel_id}::bigint, ${row.access}
       where (select count(*) from subscriptions o
               where o.user_id = ${row.user_id} and o.url <> ${row.url}) < ${limits.subscriptionsMax}
      on conflict (user_id, url_hash(url)) do update
        set collection_id = excluded.collection_id, channel_id = excluded.channel_id, access = excluded.access,
            paused_at = null, failures = 0, problem = null, next_check_at = now()
      returning *
    )
    select ${subscriptionColumns(tx)} from created s`
  return created ?? null
}

export interface SubscriptionChanges {
  collection_id?: number
  channel_id?: number | null
  access?: Subscription['access']
  is_paused?: boolean
}

/** Changes a user's subscription; null if it does not exist or belongs to another user. */
export async function updateSubscription(
  tx: Db,
  userId: number,
  id: number,
  { is_paused, ...columns }: SubscriptionChanges,
): Promise<Subscription | null> {
  const pause =
    is_paused === undefined
      ? {}
      : is_paused
        ? { paused_at: new Date() }
        : { paused_at: null, failures: 0, problem: null, next_check_at: new Date() }
  const row = { ...columns, ...pause }
  if (Object.keys(row).length > 0) {
    await tx`update subscriptions set ${tx(row)} where id = ${id} and user_id = ${userId}`
  }
  const [changed] = await tx<Subscription[]>`
    select ${subscriptionColumns(tx)} from subscriptions s where s.id = ${id} and s.user_id = ${userId}`
  return changed ?? null
}

/** Ends a subscription. Returns false if it does not exist or belongs to another user. */
export async function deleteSubscription(db: Db, userId: number, id: number): Promise<boolean> {
  const removed = await db`delete from subscriptions where id = ${id} and user_id = ${userId}`
  return removed.count > 0
}
