/** Recovery codes: created with the first second factor, stored as slow hashes, used once. */
import { randomInt } from 'node:crypto'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { hashLike, hashTogether } from '../../../core/auth/passwords.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/** Excludes letters and digits that look similar. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 10

/** New codes with their hashes, which take time and are therefore computed before the transaction that stores them. */
interface PreparedCodes {
  codes: string[]
  hashes: string[]
}

export async function prepareRecoveryCodes(): Promise<PreparedCodes> {
  const codes = Array.from({ length: limits.recoveryCodesCount }, newCode)
  return { codes, hashes: await hashTogether(codes.map(normalizeRecoveryCode)) }
}

/** Prepares codes for a user who has none. Returns null if the user has some, which stay valid. */
export async function prepareFirstRecoveryCodes(db: Db, userId: number): Promise<PreparedCodes | null> {
  return (await findRecoveryHash(db, userId)) === null ? prepareRecoveryCodes() : null
}

/**
 * Stores prepared codes and returns them, or null if the user has some meanwhile. The caller's transaction must have
 * locked the user, otherwise concurrent calls could store two sets.
 */
export async function createRecoveryCodes(
  tx: Db,
  userId: number,
  prepared: PreparedCodes | null,
): Promise<string[] | null> {
  if (prepared === null || (await findRecoveryHash(tx, userId)) !== null) return null
  return replaceRecoveryCodes(tx, userId, prepared)
}

/** Stores prepared codes, deletes the old ones, and returns the new ones. */
export async function replaceRecoveryCodes(
  tx: Db,
  userId: number,
  { codes, hashes }: PreparedCodes,
): Promise<string[]> {
  await tx`delete from recovery_codes where user_id = ${userId}`
  await tx`
    insert into recovery_codes (user_id, code_hash) select ${userId}, hash from unnest(${hashes}::text[]) as hash`
  return codes
}

/** Deletes the recovery codes of a user without a second factor. */
export async function removeUnneededRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx`
    delete from recovery_codes
     where user_id = ${userId}
       and not exists (select from authenticators a where a.user_id = ${userId} and a.confirmed_at is not null)
       and not exists (select from passkeys p where p.user_id = ${userId})`
}

/** Hashes an entered code like the codes of a user. Returns null if the user has none. */
export async function hashEnteredCode(db: Db, userId: number, code: string): Promise<string | null> {
  const encoded = await findRecoveryHash(db, userId)
  return encoded === null ? null : hashLike(encoded, normalizeRecoveryCode(code))
}

/** Uses up the code with a hash. Returns false if the user has no such code. */
export async function consumeRecoveryCode(
  tx: TransactionSql,
  userId: number,
  hash: string | null,
): Promise<boolean> {
  const deleted = await tx`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id`
  return deleted.count === 1
}

/** Returns the hash of any code of a user, which contains the salt of all, or null if the user has none. */
async function findRecoveryHash(db: Db, userId: number): Promise<string | null> {
  const [row] = await db<{ code_hash: string }[]>`
    select code_hash from recovery_codes where user_id = ${userId} limit 1`
  return row?.code_hash ?? null
}

/** Case, blanks and dashes are ignored. */
function normalizeRecoveryCode(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, '')
}

/** Creates a code such as `abcde-fghjk`, with about 50 bits. */
function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}
