import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import { useRouteContext } from '@tanstack/react-router'

/** Where the site's people are found elsewhere, and how to write to them, as its operator has set it. */
export function useSiteContact(): SiteContact {
  return useRouteContext({ from: '__root__', select: ({ community }) => community })
}
