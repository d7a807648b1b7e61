import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Spinner } from '../../ui/button.tsx'

/** What a grid shows after its last card, if its list continues. */
export interface MoreCards {
  /** The number of cards shown. */
  count: number
  /** The number of results of the list. */
  total: number
  /** Adds the next page below. Null on the last page, and once enough cards are shown. */
  showMore: (() => void) | null
  isLoading: boolean
  /** Loads a page again that could not be loaded; null otherwise. */
  retry: (() => void) | null
}

/**
 * The button after the last card that shows the next page below. It fills the rest of the row, or a row of its own. The focus
 * then moves to the first new card. Loaded after the page is shown; the pager works without it.
 */
export function ShowMore({ count, total, showMore, isLoading, retry }: MoreCards) {
  const tile = useRef<HTMLLIElement>(null)
  const [column, setColumn] = useState('1 / -1')
  /** The number of cards when the button was pressed. */
  const [pressedAt, setPressedAt] = useState<number | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: more cards change the last row.
  useLayoutEffect(() => {
    const grid = tile.current?.parentElement
    if (!grid) return
    // Also when the window changes. jsdom has no observer of sizes.
    const measure = () => setColumn(restOfRow(grid, tile.current))
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(grid)
    return () => observer.disconnect()
  }, [count])

  const findLinks = () => tile.current?.parentElement?.querySelectorAll<HTMLElement>('h3 a') ?? []
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when cards were added.
  useEffect(() => {
    if (pressedAt === null) return
    findLinks()[pressedAt]?.focus({ preventScroll: true })
    setPressedAt(null)
  }, [count])

  const press = () => {
    setPressedAt(findLinks().length)
    if (retry !== null) retry()
    else showMore?.()
  }
  const isShown = showMore !== null || isLoading || retry !== null
  return (
    <li ref={tile} className={isShown ? '' : 'sr-only'} style={{ gridColumn: column }}>
      {isShown && (
        <button
          type="button"
          aria-disabled={isLoading || undefined}
          className="flex h-full min-h-14 w-full flex-col items-center justify-center gap-1 rounded-card border border-dashed border-line-strong p-3 text-14 font-medium text-ink transition-colors hover:bg-hover"
          onClick={() => !isLoading && press()}
        >
          <span className="flex items-center gap-2">
            {isLoading && <Spinner />}
            {isLoading ? 'Loading...' : retry === null ? 'Show more' : "Couldn't load more. Try again"}
          </span>
        </button>
      )}
      <p role="status" className="sr-only">
        {count} of {total.toLocaleString('en')} shown
      </p>
    </li>
  )
}

/** Returns the columns of a grid after its last card, as a value of `grid-column`. */
function restOfRow(grid: Element, tile: Element | null): string {
  const card = tile?.previousElementSibling
  if (!card) return '1 / -1'
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length
  const { left, width } = card.getBoundingClientRect()
  const start = left - grid.getBoundingClientRect().left
  // Columns are equally wide, so that gaps between them only round down.
  const last = Math.min(columns - 1, Math.floor((start + width / 2) / (grid.clientWidth / columns)))
  return last + 1 >= columns ? '1 / -1' : `${last + 2} / -1`
}
