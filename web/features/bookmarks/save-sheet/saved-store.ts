/** The bookmark that was saved last, until its card is dismissed. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { createListeners } from '../../../ui/create-listeners.ts'

let saved: Bookmark | null = null
const { subscribe, notify } = createListeners()

export const subscribeToSaved = subscribe

export function getSaved(): Bookmark | null {
  return saved
}

/** Shows the card of a saved bookmark; null hides it. */
export function showSaved(bookmark: Bookmark | null): void {
  saved = bookmark
  notify()
}
