/** Routes for the overview of sign-in methods, reauthentication and deleting the account. */
import { deleteAccount, getAccountSecurity, reauthenticate } from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { requirePassword, wrongPasswordError } from '../passwords/require-password.ts'
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
    if (!(await queries.reauthenticateSession(db, viewer, password_hash))) throw wrongPasswordError()
    return null
  })

  mount(app, deleteAccount, async ({ input: { body }, viewer, request }) => {
    const { id, password_hash } = await requirePassword(db, request, viewer.id, body.password)
    await db.begin(async (tx) => {
      const closedUser = await closeAccount(tx, { id, password_hash }).catch((error: unknown) => {
        throw isLastOwnerError(error) ? new ApiError('last-owner') : error
      })
      if (closedUser === null) throw wrongPasswordError()
      if (closedUser.confirmed_email !== null)
        await queueSecurityMail(tx, app.deps, 'account deleted', { to: closedUser.confirmed_email })
    })
    await removeAccount(app.deps, id)
    return null
  })
}
