/** Checks the password of a signed-in user again. */
import type { FastifyRequest } from 'fastify'
import { registerPasswordCheck } from '../../../core/auth/login-throttle.ts'
import { verifyPassword } from '../../../core/auth/passwords.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { findPasswordOwner, type PasswordOwner } from './queries.ts'

/**
 * Returns the user if the password is right. Wrong passwords count like failed logins.
 * @throws InvalidFields for `password` if it is wrong or the account has none
 */
export async function requirePassword(
  db: Db,
  request: FastifyRequest,
  userId: number,
  password: string,
): Promise<PasswordOwner & { password_hash: string }> {
  const owner = await findPasswordOwner(db, userId)
  if (owner === null) throw new ApiError('invalid-token')
  const { password_hash } = owner
  if (password_hash === null) throw noPasswordError()
  const attempt = await registerPasswordCheck(db, request, owner)
  if (!(await verifyPassword(password, password_hash, attempt))) throw wrongPasswordError()
  await attempt.forgive()
  return { ...owner, password_hash }
}

export function wrongPasswordError(): InvalidFields {
  return new InvalidFields({
    password: ['Incorrect password. Try again.'],
  })
}

function noPasswordError(): InvalidFields {
  return new InvalidFields({
    password: ['Your account has no password. Set one from Settings → Account.'],
  })
}
