import { readId } from '../../../shared/paging/search-params.ts'

export interface AddBookmarkSearch {
  tab?: 'url' | 'manual'
  url?: string
  /** A shared text, which may contain the URL (shared-link.ts). */
  text?: string
  /** The title of the shared page. */
  title?: string
  /** The destination: ids of the viewer's own collection and channel. */
  collection?: number | undefined
  channel?: number | undefined
}

/**
 * Reads the search parameters. `?url=…`, `?text=…` and `?title=…` fill the URL tab: bookmarklets, shortcuts and the share
 * menus of devices send them (web/public/site.webmanifest). `?collection=` and `?channel=` choose the destination.
 * `?tab=` preserves the tab across reloads.
 */
export function readAddBookmarkSearch({
  tab,
  collection,
  channel,
  ...shared
}: Record<string, unknown>): AddBookmarkSearch {
  const text = (name: 'url' | 'text' | 'title') => {
    const value = shared[name]
    return typeof value === 'string' && value.trim() !== '' ? { [name]: value.trim() } : {}
  }
  return {
    ...text('url'),
    ...text('text'),
    ...text('title'),
    // Always set, because missing keys would stay unchanged in the address.
    collection: readId(collection),
    channel: readId(channel),
    ...((tab === 'url' || tab === 'manual') && { tab }),
  }
}
