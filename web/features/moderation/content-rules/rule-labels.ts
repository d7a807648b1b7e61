/** The labels of the kinds and effects of rules. */
import type { RuleEffect, RuleKind } from '@reelmark/contract/content-rules.ts'

export const ruleKindLabels: Record<RuleKind, string> = { host: 'Site', word: 'Word', tag: 'Tag' }

export const ruleKindHints: Record<RuleKind, string> = {
  host: 'For example: example.org. Also matches its subdomains.',
  word: 'A word or phrase. Ignores case and accents, and matches whole words only.',
  tag: 'Matches this exact tag.',
}

export const ruleEffectLabels: Record<RuleEffect, string> = { hold: 'Hold for review', refuse: 'Block' }
