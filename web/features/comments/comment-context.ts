import type { Comment } from '@reelmark/contract/comments.ts'

/** What everything in the comments below a video needs of what is around it. */
export interface CommentContext {
  videoId: number
  /** Whose bookmark is looked at: they are marked. */
  bookmarkOwner: string
  /** Whoever is signed in; null for a visitor. */
  username: string | null
  /** Which comment or reply a permanent link led to. */
  target: number | null
  /** Says it to those who listen: what others see happen. */
  announce: (text: string) => void
  /** Changes a comment wherever it is shown; null: it is gone. */
  updateComment: (id: number, to: (comment: Comment) => Comment | null) => void
}

export function isSameUsername(a: string | null | undefined, b: string | null | undefined): boolean {
  return !!a && !!b && a.toLowerCase() === b.toLowerCase()
}

/** Where a comment or a reply stands in the page, for links to lead to. */
export function commentAnchor(id: number): string {
  return `comment-${id}`
}

/** Moves the keyboard, once what was pressed is gone from the page. */
export function focusAfterRender(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus())
}
