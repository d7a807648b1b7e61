import type { TokenScope } from '@reelmark/contract/access-tokens.ts'

/** What each scope allows. */
export const scopeTexts: Record<Exclude<TokenScope, 'feed'>, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'View everything you can see, including private bookmarks.' },
  write: { label: 'Write', hint: 'Add, edit and delete bookmarks; like, follow and comment as you.' },
  moderate: { label: 'Moderate', hint: "Use moderator tools while you're a moderator." },
}
