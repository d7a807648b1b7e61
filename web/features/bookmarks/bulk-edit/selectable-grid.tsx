import type { ListingItem } from '@reelmark/contract/listing.ts'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { SelectableCard } from './selectable-card.tsx'
import type { SelectionState } from './use-selection.ts'

/** The cards of a page, to be picked. */
export function SelectableGrid({ items, picker }: { items: readonly ListingItem[]; picker: SelectionState }) {
  return (
    <div className="flex flex-col gap-6">
      <AdultNotice orientations={items.map((item) => item.orientation)} />
      <ul ref={picker.list} aria-label="Select bookmarks" className="card-grid">
        {items.map((item, index) => (
          <li key={item.id}>
            <SelectableCard item={item} box={picker.boxOf(index)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
