import * as contract from '@reelmark/contract/cases.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import * as cases from './case-queries.ts'

export function registerCases(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, contract.listReports, async ({ input }) => {
    const { count, results } = await cases.listReports(db, input.query, offsetOf(input.query))
    return pageReply(contract.listReports, input, count, results)
  })

  mount(app, contract.listCases, async ({ input, viewer }) => {
    const { count, results } = await cases.listCases(db, viewer.id, input.query, offsetOf(input.query))
    return pageReply(contract.listCases, input, count, results)
  })

  mount(app, contract.countCases, async () => ({ count: await cases.countCases(db) }))

  mount(app, contract.getCase, async ({ input, viewer }) => {
    const found = await cases.readCase(db, viewer.id, input.params.kind, input.params.id)
    if (found === null) throw new ApiError('not-found')
    return found as never
  })

  mount(app, contract.claimCase, async ({ input, viewer }) => {
    const { kind, id } = input.params
    const claim = await cases.claimCase(db, viewer.id, kind, id, input.body.take_over ?? false)
    if (claim === null) throw new ApiError('not-found')
    if (!claim.is_own) throw new ApiError('claimed', { claim })
    return claim
  })

  mount(app, contract.releaseCase, async ({ input, viewer }) => {
    await cases.releaseCase(db, viewer.id, input.params.kind, input.params.id)
    return null
  })
}
