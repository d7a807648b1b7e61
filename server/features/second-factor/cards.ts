/** What passkeys, which are second factors too, need of the recovery codes. */
import { createHash, randomInt } from 'node:crypto'
import { limits } from '@reelmark/contract/limits.ts'
import type { Db } from '../../core/database.ts'

/** Without letters and digits that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 10

/**
 * Makes the recovery codes of somebody who has none. Null where they have some: those go on working.
 * The caller's transaction holds the user's row locked, or codes could be made twice.
 */
export async function makeRecoveryCodes(tx: Db, userId: number): Promise<string[] | null> {
  const [{ exists }] = await tx<[{ exists: boolean }]>`
    select exists (select from recovery_codes where user_id = ${userId}) as exists`
  return exists ? null : replaceRecoveryCodes(tx, userId)
}

/** Makes new recovery codes; the old ones are gone. */
export async function replaceRecoveryCodes(tx: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newCode)
  await tx`delete from recovery_codes where user_id = ${userId}`
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${codes.map(recoveryHash)}::bytea[])`
  return codes
}

/** Without a second factor there is nothing to recover: then the codes go. */
export async function dropNeedlessRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx`
    delete from recovery_codes
     where user_id = ${userId}
       and not exists (select from authenticators a where a.user_id = ${userId} and a.confirmed_at is not null)
       and not exists (select from passkeys p where p.user_id = ${userId})`
}

/** Of a code as somebody types it: case, blanks and dashes do not matter. */
export function recoveryHash(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest()
}

/** `abcde-fghjk`: some 50 bits. */
function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}
