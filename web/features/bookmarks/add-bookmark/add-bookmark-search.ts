import { readId } from '../../../shared/paging/search-params.ts'

export interface AddBookmarkSearch {
  tab?: 'url' | 'manual'
  url?: string
  /** A shared text, which may contain the URL (requested-url.ts). */
  text?: string
  /** The destination: ids of the viewer's own collection and channel. */
  collection?: number | undefined
  channel?: number | undefined
}

/**
 * Reads the search parameters. `?url=…` fills the URL tab, for bookmarklets and share sheets; phones often share the
 * address as `text` within a sentence. `?collection=` and `?channel=` choose the destination. `?tab=` preserves the tab
 * across reloads.
 */
export function readAddBookmarkSearch({
  tab,
  url,
  text,
  collection,
  channel,
}: Record<string, unknown>): AddBookmarkSearch {
  const requestedUrl = typeof url === 'string' ? url.trim() : ''
  return {
    ...(requestedUrl !== '' ? { url: requestedUrl } : typeof text === 'string' && { text }),
    // Always set, because missing keys would stay unchanged in the address.
    collection: readId(collection),
    channel: readId(channel),
    ...((tab === 'url' || tab === 'manual') && { tab }),
  }
}
