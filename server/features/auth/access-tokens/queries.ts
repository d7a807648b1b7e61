import type { AccessToken, TokenScope } from '@reelmark/contract/access-tokens.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'

function tokenColumns(db: Db): Fragment {
  return db`id, name, scopes, hint, created_at, expires_at, last_used_at`
}

/** Returns a user's tokens, newest first. Expired ones are included for a month. */
export async function listAccessTokens(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; rows: AccessToken[] }> {
  const rows = await db<(AccessToken & { count: number })[]>`
    select count(*) over () as count, ${tokenColumns(db)} from access_tokens
     where user_id = ${userId} and (expires_at is null or expires_at > now() - interval '30 days')
     order by id desc limit ${size} offset ${skip}`
  return { count: rows[0]?.count ?? 0, rows }
}

export interface NewAccessToken {
  user_id: number
  hash: Buffer
  hint: string
  name: string
  scopes: TokenScope[]
  expires_in_days: number | null
  /** The hash of the code of a connection that was exchanged for the token; null: a user created the token. */
  code_hash: Buffer | null
}

/** Returns a condition: the user has fewer unexpired tokens than the maximum. */
export function hasRoomForToken(db: Db, userId: number): Fragment {
  return db`${limits.accessTokensMax} > (
    select count(*) from access_tokens
     where user_id = ${userId} and (expires_at is null or expires_at > now()))`
}

/** Stores the hash of a token. The user is locked. Returns null if the user has the maximum number of unexpired tokens. */
export async function createAccessToken(
  tx: TransactionSql,
  { user_id, hash, hint, name, scopes, expires_in_days, code_hash }: NewAccessToken,
): Promise<AccessToken | null> {
  const [created] = await tx<AccessToken[]>`
    insert into access_tokens (user_id, hash, hint, name, scopes, expires_at, code_hash)
    select ${user_id}, ${hash}, ${hint}, ${name}, ${scopes}::text[],
           now() + make_interval(days => ${expires_in_days}::int), ${code_hash}
     where ${hasRoomForToken(tx, user_id)}
    returning ${tokenColumns(tx)}`
  return created ?? null
}

/** Deletes a token. Returns false if it does not exist or belongs to another user. */
export async function deleteAccessToken(db: Db, userId: number, id: number): Promise<boolean> {
  const removed = await db`
    delete from access_tokens where id = ${id} and user_id = ${userId} returning id`
  return removed.count === 1
}
