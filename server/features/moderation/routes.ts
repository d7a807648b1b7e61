import * as appealsContract from '@reelmark/contract/appeals.ts'
import * as casesContract from '@reelmark/contract/cases.ts'
import * as decisionsContract from '@reelmark/contract/decisions.ts'
import { createAppeal, listOwnDecisions } from '@reelmark/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../core/database/transaction.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import * as appeals from './appeals/appeal-queries.ts'
import * as cases from './cases/case-queries.ts'
import * as deciding from './decisions/decide-report.ts'
import * as editing from './decisions/edit-content.ts'
import { restoreDecision } from './decisions/undo-decision.ts'

/** How many days a suspension lasts if the moderator names none. */
const defaultSuspensionDays = 7

export function registerModeration(app: FastifyInstance): void {
  registerCases(app)
  registerDecisions(app)
  registerEditing(app)
  registerAppeals(app)
}

function registerCases(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, casesContract.listReports, async ({ input }) => {
    const { count, results } = await cases.listReports(db, input.query, offsetOf(input.query))
    return pageReply(casesContract.listReports, input, count, results)
  })

  mount(app, casesContract.listCases, async ({ input, viewer }) => {
    const { count, results } = await cases.listCases(db, viewer.id, input.query, offsetOf(input.query))
    return pageReply(casesContract.listCases, input, count, results)
  })

  mount(app, casesContract.countCases, async () => ({ count: await cases.countCases(db) }))

  mount(app, casesContract.getCase, async ({ input, viewer }) => {
    const found = await cases.readCase(db, viewer.id, input.params.kind, input.params.id)
    if (found === null) throw new ApiError('not-found')
    return found as never
  })

  mount(app, casesContract.claimCase, async ({ input, viewer }) => {
    const { kind, id } = input.params
    const claim = await cases.claimCase(db, viewer.id, kind, id, input.body.take_over ?? false)
    if (claim === null) throw new ApiError('not-found')
    if (!claim.is_own) throw new ApiError('claimed', { claim })
    return claim
  })

  mount(app, casesContract.releaseCase, async ({ input, viewer }) => {
    await cases.releaseCase(db, viewer.id, input.params.kind, input.params.id)
    return null
  })
}

function registerDecisions(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(app, decisionsContract.approveReport, ({ input: { body }, viewer }) =>
    withTransaction(db, (tx) => deciding.approveReport(tx, jobs, viewer, body.report_id, toApproval(body))),
  )

  mount(app, decisionsContract.rejectReport, ({ input: { body }, viewer }) =>
    withTransaction(db, (tx) =>
      deciding.rejectReport(tx, jobs, viewer, body.report_id, {
        statement: body.statement ?? '',
        all: body.all ?? false,
      }),
    ),
  )

  // One transaction per report, so that a failure does not undo the other decisions.
  mount(app, decisionsContract.decideReports, async ({ input: { body }, viewer }) => {
    const decided = new Set<number>()
    const failed: { report_id: number; detail: string }[] = []
    const statement = body.statement ?? ''
    for (const report_id of new Set(body.report_ids)) {
      // Decided already, together with another report of the same target.
      if (decided.has(report_id)) continue
      try {
        const done = await withTransaction(db, (tx) =>
          body.decision === 'approve'
            ? deciding.approveReport(tx, jobs, viewer, report_id, toApproval({ statement }))
            : deciding.rejectReport(tx, jobs, viewer, report_id, { statement, all: body.all ?? false }),
        )
        for (const id of done.report_ids) decided.add(id)
      } catch (error) {
        if (error instanceof InvalidFields) {
          failed.push({ report_id, detail: 'Choose an orientation for this one.' })
        } else if (error instanceof ApiError) failed.push({ report_id, detail: error.message })
        else throw error
      }
    }
    return { decided: [...decided], failed }
  })
}

function toApproval(body: {
  statement?: string
  orientation?: deciding.Approval['orientation']
  sanction?: deciding.Approval['sanction'] | null
  days?: number | null
}): deciding.Approval {
  const { statement = '', orientation = null } = body
  return {
    statement,
    orientation,
    sanction: body.sanction ?? 'warn',
    days: body.days ?? defaultSuspensionDays,
  }
}

function registerEditing(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(app, decisionsContract.editVideo, ({ input, viewer }) =>
    db.begin((tx) => editing.editVideo(tx, viewer, input.params.id, input.body)),
  )

  mount(app, decisionsContract.editBookmark, ({ input, viewer }) =>
    db.begin((tx) => editing.editBookmark(tx, viewer, input.params.id, input.body)),
  )

  mount(app, decisionsContract.restoreDecision, ({ input, viewer }) =>
    withTransaction(db, (tx) =>
      restoreDecision(tx, jobs, viewer, input.params.id, input.body.statement ?? ''),
    ),
  )
}

function registerAppeals(app: FastifyInstance): void {
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

  mount(app, appealsContract.listAppeals, async ({ input, viewer }) => {
    const { count, results } = await appeals.listAppeals(db, viewer.id, input.query, offsetOf(input.query))
    return pageReply(appealsContract.listAppeals, input, count, results)
  })

  mount(app, appealsContract.decideAppeal, ({ input, viewer }) =>
    withTransaction(db, (tx) =>
      appeals.decideAppeal(tx, jobs, viewer, input.params.id, {
        decision: input.body.decision,
        answer: input.body.answer ?? '',
      }),
    ),
  )
}
