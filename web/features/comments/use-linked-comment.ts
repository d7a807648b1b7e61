import { useLocation } from '@tanstack/react-router'

/** Returns the id of the comment that the address links to (`#comment-7` or `?comment=7`); null without such a link. */
export function useLinkedCommentId(): number | null {
  return useLocation({
    select: ({ hash, search }) => {
      const requested = (search as { comment?: unknown }).comment
      const text = /^#?comment-(\d+)$/.exec(hash)?.[1] ?? String(requested ?? '')
      return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
    },
  })
}
