/** What each type of report does, at once and when it is approved; no I/O. The one table (docs/decisions/0024). */
import { type ReportType, reportTypesOf, type TargetKind } from '@reelmark/contract/reports.ts'

interface ReportRule {
  /** Whether it hides what it is about until it is decided: always, or where the reporter's word counts. */
  hides: 'always' | 'by standing'
  /** What approving it does to a video; comments are removed, and people sanctioned. */
  approved: 'remove' | 'set orientation'
  /** Approved, whoever's it is is banned for good, and the video can never be saved or restored again. */
  isForGood: boolean
  needsNotes: boolean
  /** How grave: the queue shows the gravest first. */
  weight: number
}

const usual: ReportRule = {
  hides: 'by standing',
  approved: 'remove',
  isForGood: false,
  needsNotes: false,
  weight: 1,
}

export const reportRules: Record<ReportType, ReportRule> = {
  broken_source: usual,
  broken_thumbnail: usual,
  broken_embed: usual,
  wrong_orientation: { ...usual, approved: 'set orientation' },
  request_moderation: { ...usual, weight: 2 },
  minors: { ...usual, hides: 'always', isForGood: true, weight: 9 },
  non_consensual: { ...usual, hides: 'always', weight: 8 },
  violence_or_hate: { ...usual, weight: 5 },
  spam: { ...usual, weight: 2 },
  copyright: { ...usual, weight: 3 },
  other: { ...usual, needsNotes: true },
}

/** Of the last so many decided reports of somebody … */
export const standingWindow = 5
/** … so many rejected, and their word alone hides nothing any more (decisions.md, Reports). */
export const rejectedMost = 3

export interface Standing {
  approved: number
  rejected: number
}

/** Whether a report hides what it is about. People are never hidden by a report alone. */
export function hidesAtOnce(type: ReportType, kind: TargetKind, { rejected }: Standing): boolean {
  if (kind === 'user') return false
  return reportRules[type].hides === 'always' || rejected < rejectedMost
}

/** What is wrong with a report as it was sent, by field; null: nothing. */
export function reportProblems(
  type: ReportType,
  kind: TargetKind,
  notes: string,
): Record<string, string[]> | null {
  if (!reportTypesOf(kind).includes(type)) {
    return { report_type: [`"${type}" is not a valid choice for a ${kind}.`] }
  }
  if (reportRules[type].needsNotes && notes === '') return { notes: ['Describe the problem.'] }
  return null
}

/** What was removed can be restored for so long, but not what concerns minors. */
export function isRestorable(reason: ReportType | null): boolean {
  return reason === null || !reportRules[reason].isForGood
}
