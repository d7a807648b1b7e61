import { isHttpUrl } from '@reelmark/contract/fields.ts'

export interface AddSearch {
  tab?: 'url' | 'manual'
  url?: string
}

/**
 * `?url=…` fills the URL tab, for bookmarklets and share sheets; phones often share the address as `text`, with words
 * around it. `?tab=` keeps the tab over a reload.
 */
export function addSearch({ tab, url, text }: { tab?: unknown; url?: unknown; text?: unknown }): AddSearch {
  const shared = typeof text === 'string' ? text.split(/\s+/).find(isHttpUrl) : undefined
  const given = typeof url === 'string' && url.trim() !== '' ? url.trim() : shared
  return {
    ...(given !== undefined && { url: given }),
    ...((tab === 'url' || tab === 'manual') && { tab }),
  }
}
