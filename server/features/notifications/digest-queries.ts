/**
 * Queries for the digest: who is due, and since when notifications count as new. Unconfirmed addresses get no digest.
 */
import type { SwitchableKind } from '@reelmark/contract/profiles.ts'
import type { Db } from '../../core/database/database.ts'
import { isMissing } from '../../shared/missing-videos.ts'
import { isNotTrashed } from '../../shared/visibility.ts'

export interface DigestRecipient {
  id: number
  email: string
  rhythm: 'daily' | 'weekly'
  /** Earlier notifications were part of an earlier digest. */
  since: Date
}

/**
 * Returns the ids of up to `batch` users above `after` whose digest is due, in order. A digest is due an hour early,
 * because the job does not start at the same minute every day.
 */
export async function findDueUsers(db: Db, after: number, batchSize: number): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select id from users
     where notify_by_email <> 'off' and id > ${after} and email_confirmed_at is not null and banned_at is null
       and ${isDue(db)}
     order by id limit ${batchSize}`
  return rows.map(({ id }) => id)
}

/**
 * Marks a user's digest as sent, in the caller's transaction. Returns null if it is no longer due: another process sent
 * it, or the user turned it off.
 */
export async function claimDigest(db: Db, userId: number): Promise<DigestRecipient | null> {
  const [recipient] = await db<DigestRecipient[]>`
    update users set last_digest_at = now()
     where id = ${userId} and notify_by_email <> 'off' and email_confirmed_at is not null and banned_at is null
       and ${isDue(db)}
    returning id, email, notify_by_email as rhythm,
              coalesce(old.last_digest_at, now() - make_interval(days => case notify_by_email when 'daily' then 1 else 7 end)) as since`
  return recipient ?? null
}

/** Returns how many videos of a user's bookmarks were found to be gone since a time. */
export async function countNewlyMissing(db: Db, userId: number, since: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(distinct v.id)::int as count
      from videos v join bookmarks b on b.video_id = v.id
     where v.missing_since is not null and v.missing_found_at > ${since}
       and b.user_id = ${userId} and ${isNotTrashed(db)} and ${isMissing(db)}`
  return row.count
}

function isDue(db: Db) {
  return db`(last_digest_at is null or last_digest_at < now() - make_interval(hours => case notify_by_email when 'daily' then 23 else 167 end))`
}

/** Turns a user's digests off, or only one kind of notifications in them. Idempotent. */
export async function unsubscribeFromDigests(
  db: Db,
  userId: number,
  kind: SwitchableKind | null,
): Promise<void> {
  if (kind === null) {
    await db`update users set notify_by_email = 'off' where id = ${userId} and notify_by_email <> 'off'`
  } else {
    const flag = db(`mail_on_${kind}`)
    await db`update users set ${flag} = false where id = ${userId} and ${flag}`
  }
}
