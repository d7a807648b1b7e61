import { useLocation } from '@tanstack/react-router'

/** Which comment the address leads to: `#comment-7`, or `?comment=7`; null where it leads to none. */
export function useLinkedCommentId(): number | null {
  return useLocation({
    select: ({ hash, search }) => {
      const requested = (search as { comment?: unknown }).comment
      const text = /^#?comment-(\d+)$/.exec(hash)?.[1] ?? String(requested ?? '')
      return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
    },
  })
}
