import { useSyncExternalStore } from 'react'
import { createListeners } from '../../../ui/create-listeners.ts'

/** A request to play a bookmark's video from a time. */
export interface PlayRequest {
  bookmarkId: number
  seconds: number
  /**
   * `play` was requested by a control that names the host or belongs to the player. `link` comes from a text and does not
   * load the player of an unknown host. `prepare` changes only where the play button starts.
   */
  action: 'play' | 'link' | 'prepare'
}

let latest: PlayRequest | null = null
const { subscribe, notify } = createListeners()

/** Requests that the page of a bookmark plays its video from a time. */
export function requestPlay(request: PlayRequest | null): void {
  latest = request
  notify()
}

/** Returns the latest request to play a bookmark. */
export function usePlayRequest(bookmarkId: number): PlayRequest | null {
  const request = useSyncExternalStore(
    subscribe,
    () => latest,
    () => null,
  )
  return request?.bookmarkId === bookmarkId ? request : null
}
