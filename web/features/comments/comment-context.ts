import type { Comment } from '@reelmark/contract/comments.ts'

/** The context that all comments below a video share. */
export interface CommentContext {
  videoId: number
  /** The owner of the bookmark on the page, whose comments are marked. */
  bookmarkOwner: string
  /** The viewer's username; null for a visitor. */
  username: string | null
  /** The id of the comment or reply of a permanent link. */
  target: number | null
  /** Announces a visible change to screen readers. */
  announce: (text: string) => void
  /** Changes a comment wherever it is shown. If `change` returns null, it is removed. */
  updateComment: (id: number, change: (comment: Comment) => Comment | null) => void
}

export function isSameUsername(a: string | null | undefined, b: string | null | undefined): boolean {
  return !!a && !!b && a.toLowerCase() === b.toLowerCase()
}

/** Returns the anchor of a comment or reply on the page. */
export function commentAnchor(id: number): string {
  return `comment-${id}`
}

/** Moves the focus after the next render, when the focused button is removed. */
export function focusAfterRender(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus())
}
