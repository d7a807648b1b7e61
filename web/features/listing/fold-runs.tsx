/**
 * Folds what one user saved at once: of many cards in a row, the first are shown, and one card stands for the others. Nothing is
 * left out of the pages themselves (docs/decisions/0092-lists-and-touch.md).
 */
import type { ListingItem } from '@reelmark/contract/listing.ts'
import type { ReactNode } from 'react'
import { deferPart } from '../../ui/defer-part.tsx'
import type { ExploreSearch } from './explore-search.ts'

const FoldCard = deferPart(() => import('./fold-card.tsx').then((module) => module.FoldCard))

/** The lowest number of cards of a user in a row that are shown. */
const minShown = 2
/** Fewer cards than this are not folded. The card that stands for them shows as many pictures. */
const minFolded = 4
/** So many cards remain on a page. They fill the rows of two, three, four and six columns. */
const minCards = 12

export interface FoldedList {
  items: ListingItem[]
  /** What follows a card: by its position, from 1. */
  folds: ReadonlyMap<number, readonly ListingItem[]>
}

/**
 * Folds runs of cards with the same owner. As many of each run remain as leave 12 cards on the page, and at least two. A list of
 * one owner alone is not folded.
 */
export function foldRuns(items: readonly ListingItem[]): FoldedList {
  const unfolded = { items: [...items], folds: new Map() }
  if (items.every(({ user_username }) => user_username === items[0]?.user_username)) return unfolded
  for (let max = minShown; max < items.length; max++) {
    const folded = foldTo(items, max)
    if (folded.items.length + folded.folds.size >= minCards) return folded
  }
  return unfolded
}

function foldTo(items: readonly ListingItem[], max: number): FoldedList {
  const shown: ListingItem[] = []
  const folds = new Map<number, readonly ListingItem[]>()
  for (let start = 0; start < items.length; ) {
    const owner = items[start]?.user_username
    let end = start
    while (items[end]?.user_username === owner) end++
    const isFolded = owner !== '' && end - start >= max + minFolded
    shown.push(...items.slice(start, isFolded ? start + max : end))
    if (isFolded) folds.set(shown.length, items.slice(start + max, end))
    start = end
  }
  return { items: shown, folds }
}

/** Returns what `VideoGrid` shows between the cards of a folded list, and after them. */
export function renderFolds({ items, folds }: FoldedList, search: ExploreSearch): ReactNode[] {
  return [...items, null].map((_, index) => {
    const folded = folds.get(index)
    if (folded === undefined) return null
    return (
      <li key={folded[0]?.id}>
        <FoldCard items={folded} search={search} />
      </li>
    )
  })
}
