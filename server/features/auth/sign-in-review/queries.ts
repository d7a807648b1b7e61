/** Queries for the decision about linked sign-in methods after a password reset. The user is locked first. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { SignInReview } from '@reelmark/contract/sign-in-review.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'
import { listIdentities } from '../identities/queries.ts'
import { listPasskeys } from '../passkeys/queries.ts'

/**
 * Removes the sign-in methods that were linked before the address was proven to belong to the user of the account, and
 * authenticator apps that were never confirmed. Someone else may have created the account with the address.
 */
export async function removeUntrustedMethods(tx: TransactionSql, userId: number): Promise<void> {
  await tx`
    with owner as (select id, untrusted_methods_until as until from users where id = ${userId}),
    no_passkeys as (delete from passkeys p using owner o where p.user_id = o.id and p.created_at < o.until),
    no_identities as (delete from identities i using owner o where i.user_id = o.id and i.created_at < o.until)
    delete from authenticators a using owner o
     where a.user_id = o.id and (a.confirmed_at is null or a.created_at < o.until)`
}

/** Makes the remaining sign-in methods wait for a decision. Returns false if none remain. */
export async function startReview(tx: TransactionSql, userId: number): Promise<boolean> {
  const [{ is_required }] = await tx<[{ is_required: boolean }]>`
    update users u
       set untrusted_methods_until = null,
           sign_in_review_since = case
             when exists (select from passkeys p where p.user_id = u.id)
               or exists (select from identities i where i.user_id = u.id)
               or exists (select from authenticators a where a.user_id = u.id) then now() end
     where id = ${userId}
    returning sign_in_review_since is not null as is_required`
  return is_required
}

/** Returns the sign-in methods that wait for a decision; empty lists if none do. */
export async function readReview(db: Db, userId: number): Promise<SignInReview> {
  const [user] = await db<Pick<SignInReview, 'since' | 'authenticator_since'>[]>`
    select u.sign_in_review_since as since, a.confirmed_at as authenticator_since
      from users u left join authenticators a on a.user_id = u.id and a.confirmed_at is not null
     where u.id = ${userId} and u.sign_in_review_since is not null`
  if (user === undefined) return { since: null, authenticator_since: null, passkeys: [], identities: [] }
  const all = { skip: 0, size: limits.maxPageSize }
  return {
    ...user,
    passkeys: (await listPasskeys(db, userId, all)).rows,
    identities: (await listIdentities(db, userId, all)).rows,
  }
}

/** Marks the review as completed. Returns false if nothing waits for a decision. */
export async function endReview(tx: TransactionSql, userId: number): Promise<boolean> {
  const ended = await tx`
    update users set sign_in_review_since = null where id = ${userId} and sign_in_review_since is not null
    returning id`
  return ended.count === 1
}

export async function deletePasskeys(tx: TransactionSql, userId: number, ids: number[]): Promise<number> {
  const deleted = await tx`
    delete from passkeys where user_id = ${userId} and id = any (${ids}::bigint[]) returning id`
  return deleted.count
}

export async function deleteIdentities(tx: TransactionSql, userId: number, ids: number[]): Promise<number> {
  const deleted = await tx`
    delete from identities where user_id = ${userId} and id = any (${ids}::bigint[]) returning id`
  return deleted.count
}
