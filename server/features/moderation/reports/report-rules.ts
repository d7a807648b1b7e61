/** Defines what each type of report does when it is made and when it is approved; no I/O (docs/decisions/0019-moderation.md). */
import { getReportTypes, type ReportType, type TargetKind } from '@reelmark/contract/reports.ts'

interface ReportRule {
  /** Whether it hides its target until it is decided: always, or only if the reporter has standing. */
  hides: 'always' | 'by standing'
  /** What approving it does to a video. Comments are removed and users sanctioned in any case. */
  approved: 'remove' | 'set orientation'
  /** Whether approving it bans the owner permanently and makes the video impossible to save or restore. */
  isPermanent: boolean
  needsNotes: boolean
  /** Severity: the queue is ordered by it, the highest first. */
  weight: number
}

const defaultRule: ReportRule = {
  hides: 'by standing',
  approved: 'remove',
  isPermanent: false,
  needsNotes: false,
  weight: 1,
}

export const reportRules: Record<ReportType, ReportRule> = {
  broken_source: defaultRule,
  broken_thumbnail: defaultRule,
  broken_embed: defaultRule,
  wrong_orientation: { ...defaultRule, approved: 'set orientation' },
  request_moderation: { ...defaultRule, weight: 2 },
  minors: { ...defaultRule, hides: 'always', isPermanent: true, weight: 9 },
  non_consensual: { ...defaultRule, hides: 'always', weight: 8 },
  violence_or_hate: { ...defaultRule, weight: 5 },
  spam: { ...defaultRule, weight: 2 },
  copyright: { ...defaultRule, weight: 3 },
  other: { ...defaultRule, needsNotes: true },
}

/** How many of a reporter's latest decided reports determine their standing. */
export const standingWindow = 5
/** How many rejected reports among those end the standing (docs/behaviour.md, Reports and moderation). */
const maxRejected = 3

export interface ReporterStanding {
  approved: number
  rejected: number
}

/** Returns whether a report hides its target immediately. Users are never hidden by a report alone. */
export function hidesImmediately(
  type: ReportType,
  kind: TargetKind,
  { rejected }: ReporterStanding,
): boolean {
  if (kind === 'user') return false
  return reportRules[type].hides === 'always' || rejected < maxRejected
}

/** Returns what is wrong with a report, by field; null if it is valid. */
export function reportProblems(
  type: ReportType,
  kind: TargetKind,
  notes: string,
): Record<string, string[]> | null {
  if (!getReportTypes(kind).includes(type)) {
    return { report_type: [`"${type}" is not a valid choice for a ${kind}.`] }
  }
  if (reportRules[type].needsNotes && notes === '') return { notes: ['Describe the problem.'] }
  return null
}

/** Returns whether a removal for this reason can be undone: not if it concerns minors. */
export function isRestorable(reason: ReportType | null): boolean {
  return reason === null || !reportRules[reason].isPermanent
}
