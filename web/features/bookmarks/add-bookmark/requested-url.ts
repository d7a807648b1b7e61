import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import type { AddBookmarkSearch } from './add-bookmark-search.ts'

/**
 * Returns the URL to add: `url`, or else the first URL in `text`. The page calls it, not the route, because every first
 * load contains what routes import.
 */
export function requestedUrl({ url, text = '' }: AddBookmarkSearch): string | undefined {
  return url ?? text.split(/\s+/).find(isHttpUrl)
}
