/** Routes for the overview of sign-in methods, reauthentication and deleting the account. */
import { deleteAccount, getAccountSecurity, reauthenticate } from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { logSecurityEvent } from '../../../core/security-log.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { requirePassword, wrongPasswordError } from '../passwords/require-password.ts'
import { requireProof } from '../passwords/require-proof.ts'
import { lockUserForLogin } from '../second-factor/queries.ts'
import { hasSecondFactor } from '../second-factor/second-factor-login.ts'
import { enterCode } from '../second-factor/verify-code.ts'
import * as queries from './account-security-queries.ts'
import { isLastOwnerError } from './operator-queries.ts'
import { removeAccount } from './remove-account.ts'
import { closeAccount } from './remove-account-queries.ts'

export function registerAccountSettings(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, getAccountSecurity, async ({ viewer }) => {
    const security = await queries.getAccountSecurity(db, viewer)
    if (security === null) throw new ApiError('invalid-token')
    return { ...security, needs_second_factor: viewer.needs_second_factor }
  })

  mount(app, reauthenticate, async ({ input: { body }, viewer, request }) => {
    const { password_hash } = await requirePassword(db, request, viewer.id, body.password)
    const entered = await requireCode(request, viewer.id, body.verification_code)
    await db.begin(async (tx) => {
      await lockUserForLogin(tx, viewer.id)
      await entered?.use(tx)
      if (!(await queries.reauthenticateSession(tx, viewer, password_hash))) throw wrongPasswordError()
    })
    await entered?.forgive()
    if (entered?.kind === 'recovery_code') logSecurityEvent(request, 'recovery-code-used')
    return null
  })

  /** Returns the code of a user with a second factor, to be used; null for other users. */
  async function requireCode(request: FastifyRequest, userId: number, code: string | undefined) {
    if (!(await hasSecondFactor(db, userId))) return null
    if (code === undefined) throw new InvalidFields({ verification_code: ['Enter a code.'] })
    return enterCode(app.deps, request, userId, code)
  }

  mount(app, deleteAccount, async ({ input: { body }, viewer, request, reply }) => {
    const { id } = viewer
    const password_hash = await requireProof(db, request, viewer, body.password)
    await db.begin(async (tx) => {
      const closedUser = await closeAccount(tx, { id, password_hash }).catch((error: unknown) => {
        throw isLastOwnerError(error) ? new ApiError('last-owner') : error
      })
      if (closedUser === null) throw wrongPasswordError()
      if (closedUser.confirmed_email !== null)
        await queueSecurityMail(tx, app.deps, 'account deleted', { to: closedUser.confirmed_email })
    })
    await removeAccount(app.deps, id)
    // As after a logout: the browser's cache contains pictures of private bookmarks.
    reply.header('clear-site-data', '"cache"')
    return null
  })
}
