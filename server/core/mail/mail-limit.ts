/** Limits security mails, so that nobody can flood a mailbox through this site. */
import { createHash } from 'node:crypto'
import type { Db } from '../database/database.ts'
import { rateLimits } from '../http/rate-limit-config.ts'

/** By what mails are counted: the address they go to, or the user who entered that address. */
export type MailCounter = { address: string } | { user_id: number }

/**
 * Counts a mail in the caller's transaction. Returns false if `rateLimits['security-mail']` mails of its kind were
 * counted within the last day; then nothing is counted.
 * @param scale multiplies the limit (RATE_LIMIT_SCALE); 0 turns it off
 */
export async function countMail(
  db: Db,
  counter: MailCounter,
  kind: string,
  { rateLimitScale: scale }: { rateLimitScale: number },
): Promise<boolean> {
  if (scale === 0) return true
  const { tokens, seconds } = rateLimits['security-mail']
  const recent = db`
    (select coalesce(array_agg(t order by t), '{}') from unnest(m.sent_at) t
      where t > now() - make_interval(secs => ${seconds}))`
  const counted = await db`
    insert into sent_mails as m (counted_by, kind, sent_at)
    values (${counterKey(counter)}, ${kind}, array[now()])
    on conflict (counted_by, kind) do update set sent_at = ${recent} || now(), last_sent_at = now()
     where cardinality(${recent}) < ${Math.max(1, Math.round(tokens * scale))}
    returning kind`
  return counted.count === 1
}

/** Addresses are hashed, because the table contains those of people without an account too. */
function counterKey(counter: MailCounter): string {
  if ('user_id' in counter) return `user ${counter.user_id}`
  return createHash('sha256').update(counter.address.toLowerCase()).digest('base64url')
}
