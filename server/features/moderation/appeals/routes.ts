import * as contract from '@reelmark/contract/appeals.ts'
import { createAppeal, listOwnDecisions } from '@reelmark/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../../core/database/transaction.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import * as appeals from './appeal-queries.ts'

export function registerAppeals(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(app, listOwnDecisions, async ({ input, viewer }) => {
    const { count, results } = await appeals.listOwnDecisions(db, viewer.id, offsetOf(input.query))
    return pageReply(listOwnDecisions, input, count, results)
  })

  mount(
    app,
    createAppeal,
    ({ input, viewer, tx }) => appeals.createAppeal(tx, viewer.id, input.params.id, input.body.text),
    {
      limit: 'appeal',
    },
  )

  mount(app, contract.listAppeals, async ({ input, viewer }) => {
    const { count, results } = await appeals.listAppeals(db, viewer.id, input.query, offsetOf(input.query))
    return pageReply(contract.listAppeals, input, count, results)
  })

  mount(app, contract.decideAppeal, ({ input, viewer }) =>
    withTransaction(db, (tx) =>
      appeals.decideAppeal(tx, jobs, viewer, input.params.id, {
        decision: input.body.decision,
        answer: input.body.answer ?? '',
      }),
    ),
  )
}
