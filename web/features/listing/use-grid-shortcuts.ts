import { type RefObject, useEffect } from 'react'
import { isShortcut } from '../../ui/shortcuts.ts'

/** What of a window's top the header may cover. In px. */
const headerHeight = 80

/**
 * Keys of a grid of cards: `j` and `k` go to the next and the one before, from anywhere on the page; from a card the
 * arrows go to its neighbours, and what can be done with it is done by its own key (`l`, `c`). Enter opens, as links do.
 */
export function useGridShortcuts(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (grid.current === null || event.defaultPrevented || !isShortcut(event)) return
      const links = [...grid.current.querySelectorAll<HTMLElement>('h3 a')]
      const currentIndex = links.findIndex((link) => closestCard(link).contains(document.activeElement))
      const to = nextIndex(event, links, currentIndex)
      if (to !== undefined) {
        event.preventDefault()
        links[to]?.focus()
      } else if (currentIndex >= 0 && /^[a-z]$/.test(event.key) && !event.repeat) {
        const card = closestCard(links[currentIndex] as HTMLElement)
        const button = card.querySelector<HTMLElement>(`[aria-keyshortcuts="${event.key}"]`)
        if (button === null) return
        event.preventDefault()
        button.click()
      }
    }
    // Before the page's own keys: on a bookmark's page `l` is the focused card's among what is like it.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [grid])
}

function closestCard(link: HTMLElement): HTMLElement {
  return link.closest('li') ?? link
}

/** Which card a key leads to; undefined: none, and the key is for others. */
function nextIndex({ key, shiftKey, target }: KeyboardEvent, links: HTMLElement[], currentIndex: number) {
  if (links.length === 0 || shiftKey) return undefined
  if (key === 'j' || key === 'k') {
    if (currentIndex < 0) return Math.max(0, links.findIndex(isBelowHeader))
    return Math.min(links.length - 1, Math.max(0, currentIndex + (key === 'j' ? 1 : -1)))
  }
  if (currentIndex < 0) return undefined
  // The arrows of a toolbar are its own.
  const isInToolbar = target instanceof Element && target.closest('[role="toolbar"]') !== null
  if (!isInToolbar && key === 'ArrowRight' && currentIndex + 1 < links.length) return currentIndex + 1
  if (!isInToolbar && key === 'ArrowLeft' && currentIndex > 0) return currentIndex - 1
  if (key === 'ArrowDown' || key === 'ArrowUp')
    return indexInNextRow(links.map(cardPosition), currentIndex, key === 'ArrowUp')
  return undefined
}

function isBelowHeader(link: HTMLElement): boolean {
  return closestCard(link).getBoundingClientRect().top >= headerHeight
}

function cardPosition(link: HTMLElement): { left: number; top: number } {
  const { offsetLeft, offsetTop } = closestCard(link)
  return { left: offsetLeft, top: offsetTop }
}

/** The one in the row above or below that stands below or above it, or is nearest to that. Exported for its test. */
export function indexInNextRow(
  positions: readonly { left: number; top: number }[],
  currentIndex: number,
  up: boolean,
): number | undefined {
  const from = positions[currentIndex]
  if (from === undefined) return undefined
  const beyond = positions.filter(({ top }) => (up ? top < from.top : top > from.top))
  const row = up ? Math.max(...beyond.map(({ top }) => top)) : Math.min(...beyond.map(({ top }) => top))
  const [nearest] = beyond
    .filter(({ top }) => top === row)
    .sort((a, b) => Math.abs(a.left - from.left) - Math.abs(b.left - from.left))
  return nearest === undefined ? undefined : positions.indexOf(nearest)
}
