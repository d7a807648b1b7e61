import * as contract from '@reelmark/contract/sanctions.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../core/database/database.ts'
import { withTransaction } from '../../../core/database/transaction.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { readDecisions } from '../cases/case-queries.ts'
import { liftSanction, sanction } from './sanction-queries.ts'
import * as users from './user-queries.ts'

export function registerSanctions(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(app, contract.getUserHistory, async ({ input }) => {
    const found = await users.getUserHistory(db, input.params.username)
    if (found === null) throw new ApiError('not-found')
    return found
  })

  mount(app, contract.searchUsers, async ({ input }) => {
    const { count, results } = await users.searchUsers(db, input.query, offsetOf(input.query))
    return pageReply(contract.searchUsers, input, count, results)
  })

  for (const endpoint of [contract.warnUser, contract.suspendUser, contract.banUser]) {
    const action = endpoint === contract.warnUser ? 'warn' : endpoint === contract.banUser ? 'ban' : 'suspend'
    mount(app, endpoint, ({ input: { params, body }, viewer }) =>
      withTransaction(db, async (tx) => {
        const { statement = '', reason = null } = body
        const days = 'days' in body ? Number(body.days) : 0
        const id = await sanction(tx, jobs, viewer, { action, user_id: params.id, reason, statement, days })
        return decisionReply(tx, id)
      }),
    )
  }

  for (const endpoint of [contract.unsuspendUser, contract.unbanUser]) {
    const action = endpoint === contract.unbanUser ? 'unban' : 'unsuspend'
    mount(app, endpoint, ({ input: { params, body }, viewer }) =>
      withTransaction(db, async (tx) =>
        decisionReply(tx, await liftSanction(tx, jobs, viewer, params.id, action, body.statement ?? '')),
      ),
    )
  }

  for (const [endpoint, change] of [
    [contract.verifyUser, { is_verified: true }],
    [contract.unverifyUser, { is_verified: false }],
    [contract.promoteUser, { is_moderator: true }],
    [contract.demoteUser, { is_moderator: false }],
  ] as const) {
    mount(app, endpoint, ({ input, viewer }) =>
      db.begin((tx) => users.setRole(tx, viewer, input.params.id, change)),
    )
  }
}

/** Returns a decision for the response. @throws ApiError('not-found') if the user does not exist or nothing changed. */
async function decisionReply(db: Db, id: number | null) {
  const [row] = id === null ? [] : await readDecisions(db, db`d.id = ${id}`)
  if (row === undefined) throw new ApiError('not-found')
  return row
}
