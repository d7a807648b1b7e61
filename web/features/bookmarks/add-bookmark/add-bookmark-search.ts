import { isHttpUrl } from '@reelmark/contract/protocol/fields.ts'
import { readId } from '../../../shared/paging/search-params.ts'

export interface AddBookmarkSearch {
  tab?: 'url' | 'manual'
  url?: string
  /** Where it is to go: ids of one's own. */
  collection?: number | undefined
  channel?: number | undefined
}

/**
 * `?url=…` fills the URL tab, for bookmarklets and share sheets; phones often share the address as `text`, with words
 * around it. `?collection=` and `?channel=` choose the place. `?tab=` keeps the tab over a reload.
 */
export function readAddBookmarkSearch({
  tab,
  url,
  text,
  collection,
  channel,
}: Record<string, unknown>): AddBookmarkSearch {
  const shared = typeof text === 'string' ? text.split(/\s+/).find(isHttpUrl) : undefined
  const given = typeof url === 'string' && url.trim() !== '' ? url.trim() : shared
  return {
    ...(given !== undefined && { url: given }),
    // Said where they are none, too: what is left out stays as it stood in the address.
    collection: readId(collection),
    channel: readId(channel),
    ...((tab === 'url' || tab === 'manual') && { tab }),
  }
}
