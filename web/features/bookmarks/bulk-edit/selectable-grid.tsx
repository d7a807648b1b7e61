import type { ListingItem } from '@reelmark/contract/listing.ts'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { SelectableCard } from './selectable-card.tsx'
import type { SelectionState } from './use-selection.ts'

/** The selectable cards of a page. */
export function SelectableGrid({
  items,
  selection,
}: {
  items: readonly ListingItem[]
  selection: SelectionState
}) {
  return (
    <div className="flex flex-col gap-6">
      <AdultNotice orientations={items.map((item) => item.orientation)} />
      <ul ref={selection.list} aria-label="Select bookmarks" className="card-grid">
        {items.map((item, index) => (
          <li key={item.id}>
            <SelectableCard item={item} checkboxProps={selection.checkboxProps(index)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
