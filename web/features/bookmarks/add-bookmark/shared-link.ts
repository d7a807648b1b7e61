import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { truncate } from '../../../shared/pages/page-head.ts'
import { findLinks } from '../../../ui/find-links.ts'
import type { AddBookmarkSearch } from './add-bookmark-search.ts'

/** What a bookmarklet, a shortcut or the share menu of a device sent to the page. */
export interface SharedLink {
  /** The link to add; null: what was shared contains no link. */
  url: string | null
  /** A title for a page whose own title cannot be determined. Blank: none was sent. */
  title: string
  /** What was shared instead of a link. Blank if there is a link. */
  text: string
}

/**
 * Reads what was shared: the link in `url`, or else the first one in `text` or `title`, because apps put links into
 * sentences. The page calls it, not the route, because every first load contains what routes import.
 * @returns null if nothing was shared
 */
export function readSharedLink({ url = '', text = '', title = '' }: AddBookmarkSearch): SharedLink | null {
  if (isHttpUrl(url)) return { url, title: readTitle(title), text: '' }
  for (const source of [url, text, title]) {
    const [link] = findLinks(source)
    if (link !== undefined && isHttpUrl(link.address)) {
      return { url: link.address, title: readTitle(title), text: '' }
    }
  }
  // Not a complete link, but entered where a link belongs: the user can correct it.
  if (url !== '') return { url, title: readTitle(title), text: '' }
  const parts = new Set([title.trim(), text.trim()].filter((part) => part !== ''))
  return parts.size === 0 ? null : { url: null, title: '', text: [...parts].join('\n') }
}

/** Returns a title without links and of an allowed length. */
function readTitle(text: string): string {
  let title = ''
  let end = 0
  for (const { address, index } of findLinks(text)) {
    title += text.slice(end, index)
    end = index + address.length
  }
  return truncate(title + text.slice(end), limits.titleMax)
}
