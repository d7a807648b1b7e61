import type { Community } from '@reelmark/contract/community.ts'
import { useRouteContext } from '@tanstack/react-router'

/** Where the site's people are found elsewhere, and how to write to them, as its operator has set it. */
export function useCommunity(): Community {
  return useRouteContext({ from: '__root__', select: ({ community }) => community })
}
