import { findOwnBookmarksByUrl } from '@reelmark/contract/collect.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { api } from '../api.ts'

/** Returns whether an address can be looked up and saved. */
export function isSavable(url: string): boolean {
  return url.length <= limits.urlMax && isHttpUrl(url)
}

/** Asks the user's site for their bookmarks of the video at an address. */
export async function findSaved(url: string) {
  const { bookmarks } = await api(findOwnBookmarksByUrl, { query: { url } })
  return bookmarks
}
