/** Shows an element on the full screen, or leaves the full screen. Browsers without it (on iPhones) ignore it. */
export function toggleFullscreen(element: HTMLElement | null): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  // Rejected if the browser or the user does not allow it; the player has its own button, too.
  else element?.requestFullscreen?.().catch(() => undefined)
}
