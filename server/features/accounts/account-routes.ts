/** How one signs in, at a glance; showing that it is oneself; and leaving. */
import { confirmSession, deleteAccount, getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { queueMail } from '../../core/mail-queue.ts'
import * as queries from './account-queries.ts'
import { removeAccount } from './account-removal.ts'
import { closeAccount } from './account-removal-queries.ts'
import { goodbyeMail } from './goodbye-mail.ts'
import { requirePassword, wrongPassword } from './own-password.ts'

export function registerAccountSettings(app: FastifyInstance): void {
  const { db, settings } = app.deps

  mount(app, getAccountSecurity, async ({ viewer }) => {
    const security = await queries.getAccountSecurity(db, viewer)
    if (security === null) throw new ApiError('bad-token')
    return security
  })

  mount(app, confirmSession, async ({ input: { body }, viewer, request }) => {
    const { password_hash } = await requirePassword(db, request, viewer.id, body.password)
    if (!(await queries.confirmSession(db, viewer, password_hash))) throw wrongPassword()
    return null
  })

  mount(app, deleteAccount, async ({ input: { body }, viewer, request }) => {
    const { id, password_hash } = await requirePassword(db, request, viewer.id, body.password)
    await db.begin(async (tx) => {
      const person = await closeAccount(tx, { id, password_hash })
      if (person === null) throw wrongPassword()
      await queueMail(tx, app.deps, goodbyeMail(person, settings.publicUrl))
    })
    await removeAccount(app.deps, id)
    return null
  })
}
