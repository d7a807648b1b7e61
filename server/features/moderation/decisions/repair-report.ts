/** Approving a report about a missing picture or a broken player by replacing it. */
import type * as contract from '@reelmark/contract/decisions.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { Db } from '../../../core/database/database.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { reportRules } from '../reports/report-rules.ts'
import { closeReports, showAndNotify, showUnlessStillReported } from './decide-report.ts'
import type { Moderator } from './decision-queries.ts'
import { type EditDependencies, editVideo } from './edit-content.ts'
import { lockCase, type OpenReport } from './lock-case.ts'

type Repair = NonNullable<Input<typeof contract.approveReport>['body']['repair']>
type DecisionResult = contract.DecisionResult

/**
 * Replaces the picture or player that a report is about, approves the open reports about it, and shows the video again if no
 * other report hides it. The audit log contains the video before and after.
 * @throws as lockCase and editVideo; InvalidFields at `repair` if it does not replace what the report is about.
 */
export async function repairReport(
  db: Db,
  deps: EditDependencies,
  moderator: Moderator,
  reportId: number,
  { repair, statement }: { repair: Repair; statement: string },
): Promise<DecisionResult> {
  await lockReportedBookmarks(db, reportId)
  const found = await lockCase(db, reportId)
  const { kind, id, named, open, state } = found
  const isRepaired = ({ report_type, is_held }: OpenReport) => {
    const { repairs } = reportRules[report_type]
    return !is_held && repairs !== null && repair[repairs] !== undefined
  }
  if (kind !== 'video' || !isRepaired(named)) {
    throw new InvalidFields({ repair: ['This does not replace what the report is about.'] })
  }
  const matching = open.filter(isRepaired)
  const reportedIds = matching.flatMap(({ bookmark_id }) => bookmark_id ?? [])
  await editVideo(db, deps, moderator, id, repair, reportedIds)
  const remaining = open.filter((report) => !matching.includes(report))
  const shown = await showUnlessStillReported(db, { ...found, open: remaining })
  const decision_id = shown ? await showAndNotify(db, deps.jobs, moderator, found, statement) : null
  const report_ids = await closeReports(db, moderator, matching, 'approved', decision_id)
  return {
    report_id: reportId,
    status: 'approved',
    report_ids,
    decision_id,
    state: shown ? 'visible' : state,
  }
}

/** Locks the bookmarks that may be changed. Every transaction locks bookmarks before their videos. */
async function lockReportedBookmarks(db: Db, reportId: number): Promise<void> {
  const bookmarks = await db<{ id: number }[]>`
    select b.id from reports named
      join reports r on r.target_kind = 'video' and r.target_id = named.target_id and r.status = 'open'
      join videos v on v.id = r.target_id
      join bookmarks b on b.id in (r.bookmark_id, v.lead_bookmark_id)
     where named.id = ${reportId} and named.target_kind = 'video'`
  await db`select lock_bookmarks(${bookmarks.map(({ id }) => id)}::bigint[])`
}
