/** Proof of identity for the changes to an account that take the password in their own form. */
import type { FastifyRequest } from 'fastify'
import { reauthenticationRequired } from '../../../core/auth/reauthentication.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { requireRecentSecondFactor } from '../second-factor/second-factor-login.ts'
import { hasPassword } from './queries.ts'
import { requirePassword } from './require-password.ts'

/**
 * Returns the hash of the viewer's password, which must be right; null if they have none and authenticated recently
 * in another way.
 */
export async function requireProof(
  db: Db,
  request: FastifyRequest,
  viewer: Viewer,
  password: string | undefined,
): Promise<string | null> {
  await requireRecentSecondFactor(db, viewer)
  if (password !== undefined) return (await requirePassword(db, request, viewer.id, password)).password_hash
  if (await hasPassword(db, viewer.id)) throw new InvalidFields({ password: ['Password is required.'] })
  if (!viewer.recently_authenticated) throw await reauthenticationRequired(db, viewer.id)
  return null
}
