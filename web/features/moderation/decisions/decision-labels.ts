import type { Notification } from '@reelmark/contract/notifications.ts'
import type { DecisionAction, OwnDecision, ReportType } from '@reelmark/contract/reports.ts'

const decisionTexts: Record<DecisionAction, (subject: string) => string> = {
  hide: (subject) => `${subject} was hidden pending review`,
  show: (subject) => `${subject} is visible again`,
  remove: (subject) => `${subject} was removed by a moderator`,
  restore: (subject) => `${subject} was restored`,
  set_orientation: (subject) => `A moderator changed the orientation of ${subject}`,
  remove_title_and_picture: (subject) => `A moderator removed the title and picture of ${subject}`,
  replace_link: (subject) => `The link of ${subject} was replaced`,
  warn: () => 'You received a warning',
  suspend: () => 'Your account was suspended',
  unsuspend: () => 'Your account is no longer suspended',
  ban: () => 'Your account was banned',
  unban: () => 'Your account is no longer banned',
}

const reasonTexts: Record<ReportType, string> = {
  broken_source: 'the link was broken',
  broken_thumbnail: 'the thumbnail was broken',
  broken_embed: 'the player was broken',
  wrong_orientation: 'the orientation was wrong',
  request_moderation: 'it was reported',
  minors: 'it was reported for involving minors',
  non_consensual: 'it was reported for being made or shared without consent',
  violence_or_hate: 'it was reported for violence or hate',
  spam: 'it was reported as spam',
  copyright: 'it was reported for copyright',
  title_and_picture: 'the rights holder asked for it',
  replace_link: 'the video was gone',
  other: 'it was reported',
}

const appealedTexts: Partial<Record<DecisionAction, (subject: string) => string>> = {
  hide: (subject) => subject,
  remove: (subject) => subject,
  set_orientation: (subject) => `the orientation of ${subject}`,
  remove_title_and_picture: (subject) => `the title and picture of ${subject}`,
  warn: () => 'a warning',
  suspend: () => 'your suspension',
  ban: () => 'your ban',
}

/** Returns the sentence of a notification about a moderation decision; null for other notifications. */
export function moderationText({ decision, report }: Notification): string | null {
  if (decision !== null)
    return decision.appeal_status === null ? decisionText(decision) : appealText(decision)
  if (report === null) return null
  if (report.report_type === 'replace_link') {
    const proposed = `The link you proposed for ${quoteTitle(report.title)}`
    return report.status === 'approved' ? `${proposed} replaces the old one.` : `${proposed} wasn't used.`
  }
  const about = `your report of ${quoteTitle(report.title)}`
  return report.status === 'approved'
    ? `We took action on ${about}. Thank you.`
    : `We reviewed ${about} and found no violation.`
}

function appealText({ action, title, appeal_status }: NonNullable<Notification['decision']>): string {
  const about = appealedTexts[action]?.(quoteTitle(title)) ?? 'a decision'
  return `Your appeal about ${about} was ${appeal_status === 'granted' ? 'granted' : 'rejected'}.`
}

/** Returns a decision as a sentence. */
export function decisionText({
  action,
  reason,
  title,
}: Pick<OwnDecision, 'action' | 'reason' | 'title'>): string {
  const sentence = decisionTexts[action](quoteTitle(title))
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return reason === null ? `${text}.` : `${text}: ${reasonTexts[reason]}.`
}

/** Returns the reason as part of a sentence: 'it was reported as spam'. */
export function reasonText(reason: ReportType): string {
  return reasonTexts[reason]
}

function quoteTitle(title: string): string {
  return title === '' ? 'your content' : `“${title}”`
}
