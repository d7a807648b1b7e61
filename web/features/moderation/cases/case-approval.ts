import type { getCase, Report } from '@reelmark/contract/cases.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { ReportType } from '@reelmark/contract/reports.ts'
import { hasFixedPlayer } from '../../bookmarks/public-api.ts'

export type CaseDetails = Reply<typeof getCase>

export function openReports({ reports }: CaseDetails): Report[] {
  return reports.filter(({ status }) => status === 'open')
}

/** Approving these corrects the video instead of removing it. */
const rulingTypes: readonly ReportType[] = ['wrong_orientation', 'title_and_picture', 'replace_link']

/**
 * Returns the report that determines what an approval does: one about minors, else about a held bookmark, else any that
 * is not only about the orientation, title and picture, or a proposed link.
 */
export function mostSevereReport(open: readonly Report[]): Report | undefined {
  return (
    open.find(({ report_type }) => report_type === 'minors') ??
    open.find(({ is_held }) => is_held) ??
    open.find(({ report_type }) => !rulingTypes.includes(report_type)) ??
    open[0]
  )
}

/** What a moderator can replace instead of removing the video. */
export type RepairedField = 'thumbnail_url' | 'embed_url'

/**
 * Returns what can be replaced to resolve the case, because reports say that it is missing or broken. Empty if the most severe
 * report is about something else.
 */
export function repairableFields(caseDetails: CaseDetails): RepairedField[] {
  const { case: reportedCase, video } = caseDetails
  if (reportedCase.target_kind !== 'video' || video === null || reportedCase.state === 'removed') return []
  const open = openReports(caseDetails)
  const isAbout = (type: Report['report_type']) => open.some(({ report_type }) => report_type === type)
  const severest = mostSevereReport(open)?.report_type
  if (severest === undefined || !['broken_source', 'broken_thumbnail', 'broken_embed'].includes(severest))
    return []
  return [
    ...(isAbout('broken_thumbnail') ? (['thumbnail_url'] as const) : []),
    ...(isAbout('broken_embed') && !hasFixedPlayer(video) ? (['embed_url'] as const) : []),
  ]
}

export type Approval =
  | 'sanction'
  | 'orientation'
  | 'minors'
  | 'held'
  | 'title and picture'
  | 'link'
  | 'remove'

/** Returns what approving the case does; null if no report is open. */
export function approvalKind(caseDetails: CaseDetails): Approval | null {
  const report = mostSevereReport(openReports(caseDetails))
  if (report === undefined) return null
  if (caseDetails.case.target_kind === 'user') return 'sanction'
  if (report.report_type === 'wrong_orientation') return 'orientation'
  if (report.report_type === 'minors') return 'minors'
  if (report.is_held) return 'held'
  if (report.report_type === 'replace_link') return 'link'
  return report.report_type === 'title_and_picture' ? 'title and picture' : 'remove'
}
