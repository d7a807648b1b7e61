import { type RefObject, useEffect } from 'react'
import { isShortcut } from '../../ui/keys.ts'

/** What of a window's top the header may cover. In px. */
const covered = 80

/**
 * Keys of a grid of cards: `j` and `k` go to the next and the one before, from anywhere on the page; from a card the
 * arrows go to its neighbours, and what can be done with it is done by its own key (`l`, `c`). Enter opens, as links do.
 */
export function useGridKeys(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (grid.current === null || event.defaultPrevented || !isShortcut(event)) return
      const links = [...grid.current.querySelectorAll<HTMLElement>('h3 a')]
      const at = links.findIndex((link) => cardOf(link).contains(document.activeElement))
      const to = nextOf(event, links, at)
      if (to !== undefined) {
        event.preventDefault()
        links[to]?.focus()
      } else if (at >= 0 && /^[a-z]$/.test(event.key) && !event.repeat) {
        const card = cardOf(links[at] as HTMLElement)
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

function cardOf(link: HTMLElement): HTMLElement {
  return link.closest('li') ?? link
}

/** Which card a key leads to; undefined: none, and the key is for others. */
function nextOf({ key, shiftKey, target }: KeyboardEvent, links: HTMLElement[], at: number) {
  if (links.length === 0 || shiftKey) return undefined
  if (key === 'j' || key === 'k') {
    if (at < 0) return Math.max(0, links.findIndex(isInView))
    return Math.min(links.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))
  }
  if (at < 0) return undefined
  // The arrows of a toolbar are its own.
  const isInToolbar = target instanceof Element && target.closest('[role="toolbar"]') !== null
  if (!isInToolbar && key === 'ArrowRight' && at + 1 < links.length) return at + 1
  if (!isInToolbar && key === 'ArrowLeft' && at > 0) return at - 1
  if (key === 'ArrowDown' || key === 'ArrowUp') return inNextRow(links.map(placeOf), at, key === 'ArrowUp')
  return undefined
}

function isInView(link: HTMLElement): boolean {
  return cardOf(link).getBoundingClientRect().top >= covered
}

function placeOf(link: HTMLElement): { left: number; top: number } {
  const { offsetLeft, offsetTop } = cardOf(link)
  return { left: offsetLeft, top: offsetTop }
}

/** The one in the row above or below that stands below or above it, or is nearest to that. Exported for its test. */
export function inNextRow(
  places: readonly { left: number; top: number }[],
  at: number,
  up: boolean,
): number | undefined {
  const from = places[at]
  if (from === undefined) return undefined
  const beyond = places.filter(({ top }) => (up ? top < from.top : top > from.top))
  const row = up ? Math.max(...beyond.map(({ top }) => top)) : Math.min(...beyond.map(({ top }) => top))
  const [nearest] = beyond
    .filter(({ top }) => top === row)
    .sort((one, other) => Math.abs(one.left - from.left) - Math.abs(other.left - from.left))
  return nearest === undefined ? undefined : places.indexOf(nearest)
}
