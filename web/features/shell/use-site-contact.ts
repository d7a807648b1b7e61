import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import { useRouteContext } from '@tanstack/react-router'

/** Returns the contact links that the operator configured. */
export function useSiteContact(): SiteContact {
  return useRouteContext({ from: '__root__', select: ({ siteContact }) => siteContact })
}
