/** Defines what each type of report does, at once and on approval; no I/O (docs/decisions/0019-moderation.md). */
import { type ReportType, reportTypesOf, type TargetKind } from '@reelmark/contract/reports.ts'

interface ReportRule {
  /** Whether it hides what it is about until it is decided: always, or where the reporter's word counts. */
  hides: 'always' | 'by standing'
  /** What approving it does to a video; comments are removed, and people sanctioned. */
  approved: 'remove' | 'set orientation'
  /** Approved, whoever's it is is banned for good, and the video can never be saved or restored again. */
  isPermanent: boolean
  needsNotes: boolean
  /** How grave: the queue shows the gravest first. */
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

/** Of the last so many decided reports of somebody … */
export const standingWindow = 5
/** … so many rejected: the reporter has no standing (docs/behaviour.md, Reports and moderation). */
export const maxRejected = 3

export interface ReporterStanding {
  approved: number
  rejected: number
}

/** Whether a report hides what it is about. People are never hidden by a report alone. */
export function hidesImmediately(
  type: ReportType,
  kind: TargetKind,
  { rejected }: ReporterStanding,
): boolean {
  if (kind === 'user') return false
  return reportRules[type].hides === 'always' || rejected < maxRejected
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
  return reason === null || !reportRules[reason].isPermanent
}
