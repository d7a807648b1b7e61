/** Who gets mails of what is unread, and since when. */
import type { Db } from '../../core/database/database.ts'

export interface DigestRecipient {
  id: number
  username: string
  email: string
  rhythm: 'daily' | 'weekly'
  /** What came before was in an earlier mail. */
  since: Date
}

/**
 * People whose mail is due, in order of their ids after `after`. An hour less than a day or a week: the job does not
 * come to the minute.
 */
export async function findDue(db: Db, after: number, batch: number): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select id from users
     where notify_by_email <> 'off' and id > ${after} and banned_at is null and ${isDue(db)}
     order by id limit ${batch}`
  return rows.map(({ id }) => id)
}

/** Takes somebody's turn, in the caller's transaction; null where another process did, or it was called off. */
export async function claimDigest(db: Db, userId: number): Promise<DigestRecipient | null> {
  const [receiver] = await db<DigestRecipient[]>`
    update users set last_digest_at = now()
     where id = ${userId} and notify_by_email <> 'off' and banned_at is null and ${isDue(db)}
    returning id, username, email, notify_by_email as rhythm,
              coalesce(old.last_digest_at, now() - make_interval(days => case notify_by_email when 'daily' then 1 else 7 end)) as since`
  return receiver ?? null
}

function isDue(db: Db) {
  return db`(last_digest_at is null or last_digest_at < now() - make_interval(hours => case notify_by_email when 'daily' then 23 else 167 end))`
}

/** No more of these mails. Again is as once. */
export async function unsubscribeFromDigests(db: Db, userId: number): Promise<void> {
  await db`update users set notify_by_email = 'off' where id = ${userId} and notify_by_email <> 'off'`
}
