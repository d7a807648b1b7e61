/** Asking somebody who is signed in for their password again. */
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../core/database.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { countAttempt } from '../../core/login-throttle.ts'
import { verifyPassword } from '../../core/passwords.ts'
import { findPasswordOwner, type PasswordOwner } from './password-queries.ts'

/**
 * Whose password was typed, checked as a login's is: wrong ones count for the throttle.
 * @throws InvalidFields at `password` where it is wrong, or there is none.
 */
export async function requirePassword(
  db: Db,
  request: FastifyRequest,
  userId: number,
  password: string,
): Promise<PasswordOwner & { password_hash: string }> {
  const owner = await findPasswordOwner(db, userId)
  if (owner === null) throw new ApiError('bad-token')
  const { password_hash } = owner
  if (password_hash === null) throw noPassword()
  const attempt = await countAttempt(db, request, owner.username)
  if (!(await verifyPassword(password, password_hash, attempt))) throw wrongPassword()
  await attempt.succeeded()
  return { ...owner, password_hash }
}

export function wrongPassword(): InvalidFields {
  return new InvalidFields({
    password: ['Incorrect password. Try again.'],
  })
}

function noPassword(): InvalidFields {
  return new InvalidFields({
    password: ['Your account has no password. Set one from Settings → Account.'],
  })
}
