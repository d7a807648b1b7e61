import { hashPassword, isCurrentHash } from '../../../core/auth/passwords.ts'
import type { Db } from '../../../core/database/database.ts'

/**
 * Hashes a password again if its hash was created with other parameters than those used now. Only a login can do this,
 * because the password itself is not stored.
 * @param login the account and the hash that the password was verified against
 * @returns the stored hash
 */
export async function upgradePasswordHash(
  db: Db,
  { id, password_hash }: { id: number; password_hash: string | null },
  password: string,
  priority: { isTrusted: boolean },
): Promise<string | null> {
  if (password_hash === null || isCurrentHash(password_hash)) return password_hash
  const newHash = await hashPassword(password, priority)
  const updated = await db`
    update users set password_hash = ${newHash} where id = ${id} and password_hash = ${password_hash}`
  return updated.count === 1 ? newHash : password_hash
}
