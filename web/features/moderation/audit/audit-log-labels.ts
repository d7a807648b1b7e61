/** The actions of moderators as the middle of a sentence. */
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
  'undo-set-orientation': 'undid the orientation of',
  'remove-title-and-picture': 'removed title and picture of',
  'undo-remove-title-and-picture': 'restored the titles of',
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
  'make-owner': 'appointed as owner',
  'create-user': 'created',
  'remove-second-factor': 'removed the second factors of',
  'remove-picture': 'removed the picture of',
  'end-sessions': 'ended all sessions of',
  'create-rule': 'added',
  'edit-rule': 'changed',
  'remove-rule': 'removed',
}

/** The actions for a select: `ban`, `Banned`. */
export const actionChoices = Object.entries(actionPhrases).map(
  ([action, actionPhrase]) => [action, capitalise(actionPhrase.replace(/ (of|for|from)$/, ''))] as const,
)

/** Returns the text of an action: `set-orientation` → `set the orientation of`. Unknown actions stay readable. */
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

/** Returns the kind and the name of an entry's target, or its id if it has no name. */
export function targetText({
  target_kind,
  target_id,
  target_name,
}: AuditEntry): [kind: string, name: string] {
  if (target_name === null || target_name === '') return ['', `${target_kind} ${target_id}`]
  return [targetPrefixes[target_kind], target_kind === 'user' ? target_name : `“${target_name}”`]
}

/** Returns the note of an entry. If it is a report type, returns the label of the type. */
export function noteText(note: string): string {
  return (reportTypeLabels as Record<string, string>)[note] ?? note
}
