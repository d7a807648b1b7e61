import type { getCase, Report } from '@reelmark/contract/moderation.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'

export type CaseDetails = Reply<typeof getCase>

export function openReports({ reports }: CaseDetails): Report[] {
  return reports.filter(({ status }) => status === 'open')
}

/**
 * What an approval is named by: minors before all else, then a bookmark that waits, which goes alone, and what only asks
 * for another orientation last.
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

/** What approving needs first, and what follows from it. */
export function approvalKind(caseDetails: CaseDetails): Approval | null {
  const named = mostSevereReport(openReports(caseDetails))
  if (named === undefined) return null
  if (caseDetails.case.target_kind === 'user') return 'sanction'
  if (named.report_type === 'wrong_orientation') return 'orientation'
  if (named.report_type === 'minors') return 'minors'
  return named.is_held ? 'held' : 'remove'
}
