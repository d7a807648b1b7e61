import type { getCase, Report } from '@reelmark/contract/cases.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'

export type CaseDetails = Reply<typeof getCase>

export function openReports({ reports }: CaseDetails): Report[] {
  return reports.filter(({ status }) => status === 'open')
}

/**
 * Returns the report that determines what an approval does: one about minors, else about a held bookmark, else any that
 * is not only about the orientation.
 */
export function mostSevereReport(open: readonly Report[]): Report | undefined {
  return (
    open.find(({ report_type }) => report_type === 'minors') ??
    open.find(({ is_held }) => is_held) ??
    open.find(({ report_type }) => report_type !== 'wrong_orientation') ??
    open[0]
  )
}

export type Approval = 'sanction' | 'orientation' | 'minors' | 'held' | 'remove'

/** Returns what approving the case does; null if no report is open. */
export function approvalKind(caseDetails: CaseDetails): Approval | null {
  const report = mostSevereReport(openReports(caseDetails))
  if (report === undefined) return null
  if (caseDetails.case.target_kind === 'user') return 'sanction'
  if (report.report_type === 'wrong_orientation') return 'orientation'
  if (report.report_type === 'minors') return 'minors'
  return report.is_held ? 'held' : 'remove'
}
