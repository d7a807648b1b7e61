/** Routes for the overview of sign-in methods, reauthentication and deleting the account. */
import { deleteAccount, getAccountSecurity, reauthenticate } from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { requirePassword, wrongPasswordError } from '../passwords/require-password.ts'
import { accountDeletedMail } from './account-deleted-mail.ts'
import * as queries from './account-security-queries.ts'
import { removeAccount } from './remove-account.ts'
import { closeAccount } from './remove-account-queries.ts'

export function registerAccountSettings(app: FastifyInstance): void {
  const { db, settings } = app.deps

  mount(app, getAccountSecurity, async ({ viewer }) => {
    const security = await queries.getAccountSecurity(db, viewer)
    if (security === null) throw new ApiError('invalid-token')
    return security
  })

  mount(app, reauthenticate, async ({ input: { body }, viewer, request }) => {
    const { password_hash } = await requirePassword(db, request, viewer.id, body.password)
    if (!(await queries.reauthenticateSession(db, viewer, password_hash))) throw wrongPasswordError()
    return null
  })

  mount(app, deleteAccount, async ({ input: { body }, viewer, request, reply }) => {
    const { id, password_hash } = await requirePassword(db, request, viewer.id, body.password)
    await db.begin(async (tx) => {
      const closedUser = await closeAccount(tx, { id, password_hash })
      if (closedUser === null) throw wrongPasswordError()
      await queueMail(tx, app.deps, accountDeletedMail(closedUser, settings.publicUrl))
    })
    await removeAccount(app.deps, id)
    // As after a logout: the browser's cache contains pictures of private bookmarks.
    reply.header('clear-site-data', '"cache"')
    return null
  })
}
