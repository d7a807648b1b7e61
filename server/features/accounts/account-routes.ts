/** How one signs in, at a glance, and showing that it is oneself. */
import { confirmSession, getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import * as queries from './account-queries.ts'
import { requirePassword, wrongPassword } from './own-password.ts'

export function registerAccountSettings(app: FastifyInstance): void {
  const { db } = app.deps

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
}
