/** Queries of the job that looks for new videos of subscriptions. */
import type { BookmarkAccess, Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/** Seconds after which another process may check a subscription, because the first one has probably died. */
const leaseSeconds = 300
/** Minutes between two checks. */
const intervalMinutes = 60
/** The longest pause after failures, in minutes. It doubles with each. */
const maxIntervalMinutes = 24 * 60
/** After that many failures without a success, more than two weeks, a subscription is paused. */
const maxFailures = 20

export interface ClaimedSubscription {
  id: number
  user_id: number
  url: string
  host: string
  /** The feed that was found at the address, which is requested directly; null: none, or not read yet. */
  feed_url: string | null
  etag: string | null
  last_modified: string | null
  collection_id: number
  channel_id: number | null
  access: BookmarkAccess
  /** The keys of the videos that were found before; null before the first check. */
  seen: string[] | null
  /** Identifies the claim: it was lost if another one was made. */
  checks: number
  /** That new bookmarks of the user get. */
  orientation: Orientation
}

/** How many subscriptions of banned and suspended users a run postpones. */
const postponedMax = 1000

/** Postpones due subscriptions of banned and suspended users, so that each claim does not read them again. */
export async function postponeSuspended(db: Db): Promise<void> {
  await db`
    update subscriptions
       set next_check_at = now() + make_interval(mins => ${intervalMinutes})
     where id in (
       select due.id from subscriptions due join users owner on owner.id = due.user_id
        where due.next_check_at <= now() and due.paused_at is null and due.collection_id is not null
          and (owner.banned_at is not null or owner.suspended_until > now())
        order by due.next_check_at limit ${postponedMax} for no key update of due skip locked)`
}

/**
 * Claims the subscription that has been due for longest, of a host that is not busy. Those of banned and suspended users, and
 * those without a collection, wait.
 */
export async function claimSubscription(
  db: Db,
  busyHosts: readonly string[],
): Promise<ClaimedSubscription | null> {
  const [claimed] = await db<ClaimedSubscription[]>`
    update subscriptions s
       set next_check_at = now() + make_interval(secs => ${leaseSeconds}), checks = s.checks + 1
      from users u
     where u.id = s.user_id
       and s.id = (
         select due.id from subscriptions due join users owner on owner.id = due.user_id
          where due.next_check_at <= now() and due.paused_at is null and due.collection_id is not null
            and not due.host = any (${[...busyHosts]}::text[])
            and owner.banned_at is null and (owner.suspended_until > now()) is not true
          order by due.next_check_at limit 1 for no key update of due skip locked)
    returning s.id, s.user_id, s.url, s.host, s.feed_url, s.etag, s.last_modified, s.collection_id, s.channel_id, s.access,
      s.seen, s.checks, u.default_bookmark_orientation as orientation`
  return claimed ?? null
}

/** What a successful check changes. */
export interface CheckResult {
  title: string
  feed_url: string | null
  etag: string | null
  last_modified: string | null
  seen: string[]
  saved: number
  problem: string | null
}

/** Stores the result of a check. Returns false if the claim was lost or the subscription was paused or changed meanwhile. */
export async function finishCheck(
  tx: TransactionSql,
  claim: ClaimedSubscription,
  { title, feed_url, etag, last_modified, seen, saved, problem }: CheckResult,
): Promise<boolean> {
  const changed = await tx`
    update subscriptions
       set title = ${title}, feed_url = ${feed_url}, etag = ${etag}, last_modified = ${last_modified}, seen = ${seen}::text[],
           saved_count = saved_count + ${saved}, problem = ${problem}, failures = 0, checked_at = now(),
           next_check_at = now() + make_interval(mins => ${intervalMinutes})
     where id = ${claim.id} and checks = ${claim.checks} and paused_at is null
       and access = ${claim.access} and collection_id = ${claim.collection_id}
       and channel_id is not distinct from ${claim.channel_id}::bigint`
  return changed.count > 0
}

/** Stores that nothing changed since the last check. */
export async function finishUnchanged(db: Db, { id, checks }: ClaimedSubscription): Promise<void> {
  await db`
    update subscriptions
       set failures = 0, problem = null, checked_at = now(), next_check_at = now() + make_interval(mins => ${intervalMinutes})
     where id = ${id} and checks = ${checks}`
}

/**
 * Stores a failure, for which the user sees a text. The next check follows later with each one, and the last one pauses the
 * subscription. A feed that cannot be read is looked for again at the address.
 */
export async function failCheck(
  db: Db,
  { id, checks }: ClaimedSubscription,
  { problem, pauseSeconds }: { problem: string; pauseSeconds: number },
): Promise<void> {
  await db`
    update subscriptions
       set failures = failures + 1, problem = ${problem}, checked_at = now(),
           feed_url = null, etag = null, last_modified = null,
           next_check_at = now() + greatest(make_interval(secs => ${pauseSeconds}),
             make_interval(mins => least(${intervalMinutes} * 2 ^ least(failures, 10), ${maxIntervalMinutes})::int)),
           paused_at = case when failures + 1 >= ${maxFailures} then now() else paused_at end
     where id = ${id} and checks = ${checks}`
}
