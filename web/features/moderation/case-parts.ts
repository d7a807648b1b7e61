import type { Reply } from '@reelmark/contract/endpoint.ts'
import type { getCase, Report } from '@reelmark/contract/moderation.ts'

export type WholeCase = Reply<typeof getCase>

export function openOf({ reports }: WholeCase): Report[] {
  return reports.filter(({ status }) => status === 'open')
}

/**
 * What an approval is named by: minors before all else, then a bookmark that waits, which goes alone, and what only asks
 * for another orientation last.
 */
export function gravestOf(open: readonly Report[]): Report | undefined {
  return (
    open.find(({ report_type }) => report_type === 'minors') ??
    open.find(({ is_held }) => is_held) ??
    open.find(({ report_type }) => report_type !== 'wrong_orientation') ??
    open[0]
  )
}

export type Approval = 'sanction' | 'orientation' | 'minors' | 'held' | 'remove'

/** What approving needs first, and what follows from it. */
export function approvalOf(whole: WholeCase): Approval | null {
  const named = gravestOf(openOf(whole))
  if (named === undefined) return null
  if (whole.case.target_kind === 'user') return 'sanction'
  if (named.report_type === 'wrong_orientation') return 'orientation'
  if (named.report_type === 'minors') return 'minors'
  return named.is_held ? 'held' : 'remove'
}
