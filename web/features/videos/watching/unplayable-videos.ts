import { useSyncExternalStore } from 'react'
import { createListeners } from '../../../ui/create-listeners.ts'

const { subscribe, notify } = createListeners()
let bookmarkIds: ReadonlySet<number> = new Set()
const none: ReadonlySet<number> = new Set()

/** Marks a bookmark in the play queue, because its video did not play. The mark lasts until the page is loaded again. */
export function markUnplayable(bookmarkId: number): void {
  bookmarkIds = new Set([...bookmarkIds, bookmarkId])
  notify()
}

/** Returns the bookmarks whose videos did not play. */
export function useUnplayable(): ReadonlySet<number> {
  return useSyncExternalStore(
    subscribe,
    () => bookmarkIds,
    () => none,
  )
}
