/** The time that the player on the page last reported. */
let latest: { bookmarkId: number; seconds: number } | null = null

export function storeCurrentTime(bookmarkId: number, seconds: number): void {
  latest = { bookmarkId, seconds }
}

/** Returns where the player of a bookmark is, in whole seconds; null if it has not reported a time. */
export function currentTime(bookmarkId: number): number | null {
  return latest?.bookmarkId === bookmarkId ? Math.floor(latest.seconds) : null
}
