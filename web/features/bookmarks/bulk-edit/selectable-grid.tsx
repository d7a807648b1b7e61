import type { ListingItem } from '@reelmark/contract/listing.ts'
import { Fragment, type ReactNode } from 'react'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { SelectableCard } from './selectable-card.tsx'
import type { SelectionState } from './use-selection.ts'

/** The selectable cards of a page. */
export function SelectableGrid({
  items,
  selection,
  divide,
}: {
  items: readonly ListingItem[]
  selection: SelectionState
  /** Returns what is shown before each card. */
  divide?: ((items: readonly ListingItem[]) => readonly ReactNode[]) | undefined
}) {
  const dividers = divide?.(items)
  return (
    <div className="flex flex-col gap-6">
      <AdultNotice orientations={items.map((item) => item.orientation)} />
      <ul ref={selection.list} aria-label="Select bookmarks" className="card-grid">
        {items.map((item, index) => (
          <Fragment key={item.id}>
            {dividers?.[index]}
            <li>
              <SelectableCard item={item} checkboxProps={selection.checkboxProps(index)} />
            </li>
          </Fragment>
        ))}
      </ul>
    </div>
  )
}
