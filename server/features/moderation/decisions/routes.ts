import * as contract from '@reelmark/contract/decisions.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../../core/database/transaction.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import * as deciding from './decide-report.ts'
import * as editing from './edit-content.ts'
import { repairReport } from './repair-report.ts'
import { restoreDecision } from './undo-decision.ts'

/** How many days a suspension lasts if the moderator names none. */
const defaultSuspensionDays = 7

export function registerDecisions(app: FastifyInstance): void {
  const { db, jobs, media, settings } = app.deps
  const editDeps = { jobs, ownHosts: ownHosts(settings.publicUrl) }

  mount(app, contract.approveReport, ({ input: { body }, viewer }) =>
    withTransaction(db, (tx) =>
      body.repair === undefined
        ? deciding.approveReport(tx, { jobs, media }, viewer, body.report_id, toApproval(body))
        : repairReport(tx, editDeps, viewer, body.report_id, {
            repair: body.repair,
            statement: body.statement ?? '',
          }),
    ),
  )

  mount(app, contract.rejectReport, ({ input: { body }, viewer }) =>
    withTransaction(db, (tx) =>
      deciding.rejectReport(tx, jobs, viewer, body.report_id, {
        statement: body.statement ?? '',
        all: body.all ?? false,
      }),
    ),
  )

  // One transaction per report, so that a failure does not undo the other decisions.
  mount(app, contract.decideReports, async ({ input: { body }, viewer }) => {
    const decided = new Set<number>()
    const failed: { report_id: number; detail: string }[] = []
    const statement = body.statement ?? ''
    for (const report_id of new Set(body.report_ids)) {
      // Decided already, together with another report of the same target.
      if (decided.has(report_id)) continue
      try {
        const result = await withTransaction(db, (tx) =>
          body.decision === 'approve'
            ? deciding.approveReport(tx, { jobs, media }, viewer, report_id, {
                ...toApproval({ statement }),
                isBulk: true,
              })
            : deciding.rejectReport(tx, jobs, viewer, report_id, { statement, all: body.all ?? false }),
        )
        for (const id of result.report_ids) decided.add(id)
      } catch (error) {
        if (error instanceof InvalidFields) {
          const isProposal = error.body.report_id !== undefined
          const orientationText = 'Choose an orientation for this one.'
          failed.push({ report_id, detail: isProposal ? deciding.proposalInBulkText : orientationText })
        } else if (error instanceof ApiError) failed.push({ report_id, detail: error.message })
        else throw error
      }
    }
    return { decided: [...decided], failed }
  })

  mount(app, contract.editVideo, ({ input, viewer }) =>
    db.begin((tx) => editing.editVideo(tx, editDeps, viewer, input.params.id, input.body)),
  )

  mount(app, contract.editBookmark, ({ input, viewer }) =>
    db.begin((tx) => editing.editBookmark(tx, viewer, input.params.id, input.body)),
  )

  mount(app, contract.restoreDecision, ({ input, viewer }) =>
    withTransaction(db, (tx) =>
      restoreDecision(tx, jobs, viewer, input.params.id, input.body.statement ?? ''),
    ),
  )
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
