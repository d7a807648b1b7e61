/** The log in words: what moderators did, as the middle of a sentence. */
import type { AuditEntry } from '@reelmark/contract/sanctions.ts'
import { capitalise } from '../../../ui/capitalise.ts'
import { reportTypeLabels } from '../moderation-labels.ts'

const actionPhrases: Record<string, string> = {
  approve: 'approved',
  reject: 'rejected',
  remove: 'removed',
  restore: 'restored',
  hide: 'hid',
  show: 'made visible',
  edit: 'edited',
  'set-orientation': 'set the orientation of',
  warn: 'warned',
  'undo-warn': 'withdrew the warning for',
  suspend: 'suspended',
  unsuspend: 'ended the suspension of',
  ban: 'banned',
  unban: 'ended the ban of',
  verify: 'verified',
  unverify: 'removed verification from',
  promote: 'promoted',
  demote: 'demoted',
  'create-rule': 'added',
  'edit-rule': 'changed',
  'remove-rule': 'removed',
}

/** For choosing one of them: `ban`, `Banned`. */
export const actionChoices = Object.entries(actionPhrases).map(
  ([action, actionPhrase]) => [action, capitalise(actionPhrase.replace(/ (of|for|from)$/, ''))] as const,
)

/** `set-orientation` → `set the orientation of`; what is not known here stays readable. */
export function actionText(action: string): string {
  return actionPhrases[action] ?? action.replaceAll('-', ' ')
}

const targetPrefixes: Record<AuditEntry['target_kind'], string> = {
  user: '',
  video: 'the video ',
  bookmark: 'the bookmark ',
  comment: 'the comment ',
  report: 'the report of ',
  rule: 'the rule for ',
}

/** To what it was done: its kind, and its name, or its number where it has none. */
export function targetText({
  target_kind,
  target_id,
  target_name,
}: AuditEntry): [kind: string, name: string] {
  if (target_name === null || target_name === '') return ['', `${target_kind} ${target_id}`]
  return [targetPrefixes[target_kind], target_kind === 'user' ? target_name : `“${target_name}”`]
}

/** A note that only names the type of a report is told in its words. */
export function noteText(note: string): string {
  return (reportTypeLabels as Record<string, string>)[note] ?? note
}
