import { useLocation } from '@tanstack/react-router'

/** Which comment the address leads to: `#comment-7`, or `?comment=7`; null where it leads to none. */
export function useTarget(): number | null {
  return useLocation({
    select: ({ hash, search }) => {
      const asked = (search as { comment?: unknown }).comment
      const text = /^#?comment-(\d+)$/.exec(hash)?.[1] ?? String(asked ?? '')
      return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
    },
  })
}
