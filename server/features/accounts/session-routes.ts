/** Where somebody is signed in, and how they end that. */
import { endOtherSessions, endSession, listSessions } from '@reelmark/contract/accounts.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { endSessionsOf } from '../../core/session.ts'
import { describeDevice } from './device.ts'
import { endSessionOf, listSessions as readSessions } from './queries.ts'

export function registerSessions(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, listSessions, async ({ input, viewer }) => {
    const { count, rows } = await readSessions(db, viewer, rangeOf(input.query))
    const sessions = rows.map(({ user_agent, ...session }) => ({
      ...session,
      device: describeDevice(user_agent),
    }))
    return answerPage(listSessions, input, count, sessions)
  })

  mount(app, endSession, async ({ input: { params }, viewer }) => {
    if (!(await endSessionOf(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })

  mount(app, endOtherSessions, async ({ viewer }) => {
    await endSessionsOf(db, viewer.id, viewer.session_id)
    return null
  })
}
