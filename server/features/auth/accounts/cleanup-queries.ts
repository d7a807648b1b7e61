import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db } from '../../../core/database/database.ts'
import { deleteInBatches } from '../../../core/database/delete-in-batches.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'

/** Maximum number of rows per statement, which keeps its duration far below the statement timeout. */
const batchSize = 5_000

/**
 * Deletes expired rows: sessions, password resets, tickets, idempotency keys, full rate limit buckets, access tokens a
 * month after their expiry, unconfirmed e-mail addresses, and counts of mails.
 * @returns the number of deleted rows
 */
export async function removeExpired(db: Db): Promise<number> {
  let removed = 0
  for (const deleteBatch of [
    removeSessions,
    removeResets,
    removeTickets,
    removeIdempotencyKeys,
    removeBuckets,
    removeTokens,
    removeEmailConfirmations,
    removeSentMails,
  ]) {
    removed += await deleteInBatches(batchSize, () => deleteBatch(db))
  }
  return removed
}

function removeSessions(db: Db) {
  return db`delete from sessions where id in (select id from sessions where expires_at < now() limit ${batchSize})`
}

function removeResets(db: Db) {
  return db`
    delete from password_resets where id in (
      select id from password_resets
       where created_at < now() - make_interval(secs => ${limits.passwordResetSeconds}) limit ${batchSize})`
}

function removeTickets(db: Db) {
  return db`delete from one_time_tickets where hash in (select hash from one_time_tickets where expires_at < now() limit ${batchSize})`
}

function removeIdempotencyKeys(db: Db) {
  return db`
    delete from idempotency_keys where (user_id, key_hash) in (
      select user_id, key_hash from idempotency_keys
       where created_at < now() - make_interval(secs => ${limits.idempotencyRetentionSeconds}) limit ${batchSize})`
}

function removeBuckets(db: Db) {
  return db`
    delete from rate_limits where key in (
      select key from rate_limits where updated_at < now() - interval '1 day' limit ${batchSize})`
}

/** Expired access tokens stay visible to their owner for a month. */
function removeTokens(db: Db) {
  return db`
    delete from access_tokens where id in (
      select id from access_tokens where expires_at < now() - interval '30 days' limit ${batchSize})`
}

function removeEmailConfirmations(db: Db) {
  return db`
    delete from email_confirmations where user_id in (
      select user_id from email_confirmations where expires_at < now() limit ${batchSize})`
}

/** Deletes the counts of mails that were all sent more than a day ago. */
function removeSentMails(db: Db) {
  return db`
    delete from sent_mails where (counted_by, kind) in (
      select counted_by, kind from sent_mails
       where last_sent_at < now() - make_interval(secs => ${rateLimits['security-mail'].seconds}) limit ${batchSize})`
}
