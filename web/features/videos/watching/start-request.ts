let requested: number | null = null

/** Requests that the page of a bookmark starts its player when it opens, because the user pressed play elsewhere. */
export function requestStart(bookmarkId: number | null): void {
  requested = bookmarkId
}

export function requestedStart(): number | null {
  return requested
}
