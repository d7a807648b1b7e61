/** Labels of report types, targets, states and decisions. */

import type { Case } from '@reelmark/contract/cases.ts'
import type { DecisionAction, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import { isApiError } from '../../shared/errors/api-error.ts'

export const reportTypeLabels: Record<ReportType, string> = {
  broken_source: 'Broken link',
  broken_thumbnail: 'Broken thumbnail',
  broken_embed: 'Broken player',
  wrong_orientation: 'Wrong orientation',
  request_moderation: 'Needs moderation',
  minors: 'Minors',
  non_consensual: 'Non-consensual',
  violence_or_hate: 'Violence or hate',
  spam: 'Spam',
  copyright: 'Copyright',
  title_and_picture: 'Title and picture',
  replace_link: 'Another link',
  other: 'Other',
}

/** Report types with the highest priority. */
export const severeReportTypes: readonly ReportType[] = ['minors', 'non_consensual', 'violence_or_hate']

export const targetKindLabels: Record<TargetKind, string> = {
  video: 'Video',
  comment: 'Comment',
  user: 'User',
}

const caseStateLabels: Record<Exclude<Case['state'], 'deleted'>, string> = {
  visible: 'Visible',
  hidden: 'Hidden pending review',
  removed: 'Removed',
}

type CaseState = Pick<Case, 'target_kind' | 'state' | 'is_held'>

/** Returns the label of the current state. A held bookmark is labelled as held even if its video is visible. */
export function caseStateLabel({ target_kind, state, is_held }: CaseState): string {
  if (state === 'deleted') return 'Deleted'
  if (target_kind === 'user') return state === 'removed' ? 'Banned' : 'Not banned'
  return is_held && state === 'visible' ? 'Held for review' : caseStateLabels[state]
}

export function caseStateTone({ state, is_held }: CaseState): 'accent' | 'success' | 'danger' {
  if (state === 'visible') return is_held ? 'accent' : 'success'
  return state === 'hidden' ? 'accent' : 'danger'
}

export const decisionActionLabels: Record<DecisionAction, string> = {
  hide: 'Hidden',
  show: 'Made visible',
  remove: 'Removed',
  restore: 'Restored',
  set_orientation: 'Orientation set',
  remove_title_and_picture: 'Title and picture removed',
  replace_link: 'Link replaced',
  warn: 'Warned',
  suspend: 'Suspended',
  unsuspend: 'Suspension ended',
  ban: 'Banned',
  unban: 'Ban ended',
}

export const reportStatusLabels = { open: 'Open', approved: 'Approved', rejected: 'Rejected' } as const

/** Templates for messages to the affected user. */
export const statementTemplates: Record<ReportType, string> = {
  broken_source: 'The link no longer leads to a video.',
  broken_thumbnail: "The thumbnail is missing or doesn't show the video.",
  broken_embed: 'The player no longer works.',
  wrong_orientation: "The orientation didn't match the video.",
  request_moderation: "This doesn't follow our rules.",
  minors: 'Content involving minors is never allowed here.',
  non_consensual: "Content made or shared without the consent of the people in it isn't allowed.",
  violence_or_hate: "Violent or hateful content isn't allowed.",
  spam: "Advertising and repetitive content isn't allowed.",
  copyright: 'The rights holder asked us to remove this video.',
  title_and_picture: 'The rights holder asked us to remove title and picture.',
  replace_link: 'The new link leads to the same video.',
  other: "This doesn't follow our rules.",
}

export const minorsApprovalText =
  "This permanently removes the video, blocks its link, and bans the user who added it. You can't undo this."

/** Returns the text for a case that another moderator resolved first; null for other errors. */
export function alreadyDecidedText(error: unknown): string | null {
  return isApiError(error, 'already-decided') ? 'Another moderator already resolved this case.' : null
}

/** Formats seconds with the two largest units: `5400` → `1 h 30 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
