import type { getConnection } from '@reelmark/contract/connections.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { Db } from '../../../core/database/database.ts'
import { hasRoomForToken } from '../access-tokens/queries.ts'

/** Returns whether a user has fewer unexpired access tokens than the maximum. */
export async function mayHaveAnotherToken(db: Db, userId: number): Promise<boolean> {
  const [{ may }] = await db<[{ may: boolean }]>`
    select ${hasRoomForToken(db, userId)} as may`
  return may
}

/** Deletes the access token that a code was exchanged for, and returns its owner; null if it does not exist. */
export async function deleteTokenOfCode(db: Db, codeHash: Buffer): Promise<number | null> {
  const [row] = await db<{ user_id: number }[]>`
    delete from access_tokens where code_hash = ${codeHash} returning user_id`
  return row?.user_id ?? null
}

/** Returns the account and the rights of an access token; null if it does not exist. */
export async function findConnection(db: Db, hash: Buffer): Promise<Reply<typeof getConnection> | null> {
  const [row] = await db<Reply<typeof getConnection>[]>`
    select u.username, t.scopes, t.expires_at from access_tokens t join users u on u.id = t.user_id
     where t.hash = ${hash}`
  return row ?? null
}

/** Deletes an access token by its hash. */
export async function deleteTokenByHash(db: Db, hash: Buffer): Promise<void> {
  await db`delete from access_tokens where hash = ${hash}`
}

export async function readUsername(db: Db, userId: number): Promise<string> {
  const [{ username }] = await db<[{ username: string }]>`select username from users where id = ${userId}`
  return username
}
