import { type RefObject, useEffect } from 'react'
import { isShortcut } from '../../ui/shortcuts.ts'

/** The height at the top of the window that the header may cover, in px. */
const headerHeight = 80

/**
 * Shortcuts of a grid of cards: `j` and `k` move to the next and previous card from anywhere on the page. On a card,
 * arrow keys move to its neighbours, and the keys of its actions (`l`, `c`) apply to it. Enter opens it, as any link.
 */
export function GridShortcuts({ grid }: { grid: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (grid.current === null || event.defaultPrevented || !isShortcut(event)) return
      const links = [...grid.current.querySelectorAll<HTMLElement>('h3 a')]
      const currentIndex = links.findIndex((link) => closestCard(link).contains(document.activeElement))
      const target = nextIndex(event, links, currentIndex)
      if (target !== undefined) {
        event.preventDefault()
        links[target]?.focus()
      } else if (currentIndex >= 0 && /^[a-z]$/.test(event.key) && !event.repeat) {
        const card = closestCard(links[currentIndex] as HTMLElement)
        const button = card.querySelector<HTMLElement>(`[aria-keyshortcuts="${event.key}"]`)
        if (button === null) return
        event.preventDefault()
        button.click()
      }
    }
    // In the capture phase, before the page's own shortcuts: on a bookmark's page, `l` on a focused similar card likes
    // that card.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [grid])
  return null
}

function closestCard(link: HTMLElement): HTMLElement {
  return link.closest('li') ?? link
}

/** Returns the index of the card that a key moves to; undefined for other keys. */
function nextIndex({ key, shiftKey, target }: KeyboardEvent, links: HTMLElement[], currentIndex: number) {
  if (links.length === 0 || shiftKey) return undefined
  if (key === 'j' || key === 'k') {
    if (currentIndex < 0) {
      // The grid of the focused card moves the focus.
      const otherCard = document.activeElement?.closest('[data-bookmark]') ?? null
      return otherCard === null ? Math.max(0, links.findIndex(isBelowHeader)) : undefined
    }
    return Math.min(links.length - 1, Math.max(0, currentIndex + (key === 'j' ? 1 : -1)))
  }
  if (currentIndex < 0) return undefined
  // A toolbar handles its own arrow keys.
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

/** Returns the card in the row above or below that is horizontally nearest. Exported for its test. */
export function indexInNextRow(
  positions: readonly { left: number; top: number }[],
  currentIndex: number,
  up: boolean,
): number | undefined {
  const current = positions[currentIndex]
  if (current === undefined) return undefined
  const candidates = positions.filter(({ top }) => (up ? top < current.top : top > current.top))
  const row = up
    ? Math.max(...candidates.map(({ top }) => top))
    : Math.min(...candidates.map(({ top }) => top))
  const [nearest] = candidates
    .filter(({ top }) => top === row)
    .sort((a, b) => Math.abs(a.left - current.left) - Math.abs(b.left - current.left))
  return nearest === undefined ? undefined : positions.indexOf(nearest)
}
