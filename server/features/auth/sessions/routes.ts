/** Routes for listing and ending the sessions of the viewer. */
import { endOtherSessions, endSession, listSessions } from '@reelmark/contract/accounts.ts'
import type { FastifyInstance } from 'fastify'
import { endUserSessions } from '../../../core/auth/session.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { endUserSession, listSessions as readSessions } from '../accounts/queries.ts'
import { describeUserAgent } from './describe-user-agent.ts'

export function registerSessions(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, listSessions, async ({ input, viewer }) => {
    const { count, rows } = await readSessions(db, viewer, offsetOf(input.query))
    const sessions = rows.map(({ user_agent, ...session }) => ({
      ...session,
      device: describeUserAgent(user_agent),
    }))
    return pageReply(listSessions, input, count, sessions)
  })

  mount(app, endSession, async ({ input: { params }, viewer }) => {
    if (!(await endUserSession(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })

  mount(app, endOtherSessions, async ({ viewer }) => {
    await endUserSessions(db, viewer.id, viewer.session_id)
    return null
  })
}
