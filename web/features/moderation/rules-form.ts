/** What kinds of rules and what they do are called. */
import type { RuleEffect, RuleKind } from '@reelmark/contract/screening.ts'

export const ruleKindNames: Record<RuleKind, string> = { host: 'Site', word: 'Word', tag: 'Tag' }

export const kindHints: Record<RuleKind, string> = {
  host: 'Like example.org: links to it, and to all below it.',
  word: 'One or several that stand together, whatever their case and accents; never a part of a word.',
  tag: 'This very tag.',
}

export const effectNames: Record<RuleEffect, string> = { hold: 'Hold for review', refuse: 'Refuse' }
