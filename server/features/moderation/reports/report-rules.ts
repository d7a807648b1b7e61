/** Defines what each type of report does when it is made and when it is approved; no I/O (docs/decisions/0034-abuse-and-overload.md). */
import {
  type DecisionAction,
  getReportTypes,
  type ReportType,
  type TargetKind,
} from '@reelmark/contract/reports.ts'
import { ipBucketKey, ipv6Networks } from '../../../core/http/rate-limits.ts'

interface ReportRule {
  /**
   * Whether it hides its target until it is decided: 'at once' for every reporter; 'by standing' only if the reporter has
   * standing or is the third independent reporter.
   */
  hides: 'at once' | 'by standing'
  /** What approving it does to a video. Comments are removed and users sanctioned in any case. */
  approved: 'remove' | 'set orientation' | 'remove title and picture' | 'replace link'
  /** What a moderator can replace instead of removing the video. */
  repairs: 'thumbnail_url' | 'embed_url' | null
  /** Whether approving it bans the owner permanently and makes the video impossible to save or restore. */
  isPermanent: boolean
  needsNotes: boolean
  /** Severity: the queue is ordered by it, the highest first. */
  weight: number
}

const defaultRule: ReportRule = {
  hides: 'by standing',
  approved: 'remove',
  repairs: null,
  isPermanent: false,
  needsNotes: false,
  weight: 1,
}

export const reportRules: Record<ReportType, ReportRule> = {
  broken_source: defaultRule,
  broken_thumbnail: { ...defaultRule, repairs: 'thumbnail_url' },
  broken_embed: { ...defaultRule, repairs: 'embed_url' },
  wrong_orientation: { ...defaultRule, approved: 'set orientation' },
  request_moderation: { ...defaultRule, weight: 2 },
  minors: { ...defaultRule, hides: 'at once', isPermanent: true, weight: 9 },
  non_consensual: { ...defaultRule, hides: 'at once', weight: 8 },
  violence_or_hate: { ...defaultRule, weight: 5 },
  spam: { ...defaultRule, weight: 2 },
  copyright: { ...defaultRule, weight: 3 },
  title_and_picture: {
    ...defaultRule,
    approved: 'remove title and picture',
    needsNotes: true,
    weight: 3,
  },
  replace_link: { ...defaultRule, approved: 'replace link' },
  other: { ...defaultRule, needsNotes: true },
}

/** Whether a report proposes something instead of complaining. It says nothing about the standing of its reporter. */
export function isProposal({ report_type }: { report_type: ReportType }): boolean {
  return report_type === 'replace_link'
}

/** How many rejected reports in a row end a reporter's standing. */
export const rejectedInRowMax = 3
/** How many independent reporters hide a target together, although none of them has standing. */
export const independentReporters = 3
/** For how many days a rejected report protects its target from being hidden again. */
export const protectionDays = 30
/** From what age of the account, in seconds, a reporter with a confirmed e-mail address has standing. */
const establishedSeconds = 7 * 24 * 60 * 60

export interface Reporter {
  is_moderator: boolean
  /** In seconds. */
  account_age: number
  has_confirmed_email: boolean
  has_approved_report: boolean
  /** Whether the latest three decided reports were all rejected. */
  is_often_rejected: boolean
}

/** Returns whether a reporter has standing: whether one report of theirs hides its target. */
export function hasStanding(reporter: Reporter): boolean {
  if (reporter.is_moderator) return true
  if (reporter.is_often_rejected) return false
  const isEstablished = reporter.has_confirmed_email && reporter.account_age > establishedSeconds
  return reporter.has_approved_report || isEstablished
}

/** Returns whether a report hides its target at once for every reporter. Users are never hidden by a report alone. */
export function hidesAtOnce(type: ReportType, kind: TargetKind): boolean {
  return kind !== 'user' && reportRules[type].hides === 'at once'
}

/**
 * Returns the network of an address: the /24 of IPv4 and the /48 of IPv6. Larger than what a rate limit counts, because
 * one household or one rented server often has several neighbouring addresses. Invalid addresses are one network.
 */
export function reporterNetwork(address: string): string {
  const [, ipv6Network] = ipv6Networks(address)
  if (ipv6Network !== undefined) return ipv6Network
  const key = ipBucketKey(address)
  return key.includes('.') ? `${key.split('.').slice(0, 3).join('.')}.0/24` : key
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

/** Decisions that moderators can undo without an appeal. */
export const restorableActions: DecisionAction[] = ['remove', 'remove_title_and_picture', 'replace_link']

/** Returns whether a removal for this reason can be undone: not if it concerns minors. */
export function isRestorable(reason: ReportType | null): boolean {
  return reason === null || !reportRules[reason].isPermanent
}
