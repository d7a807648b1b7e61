import type { ListingItem } from '@reelmark/contract/listing.ts'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'

/** Rows that fill the wall at its maximum height. */
const rowsPerColumn = 8

/**
 * Three animated columns of thumbnails. They are decorative, since the page links the same bookmarks below, and load
 * only when visible, so not where the wall is hidden.
 */
export function ThumbnailWall({ items }: { items: readonly ListingItem[] }) {
  if (items.length < 3) return null
  const columns = [0, 1, 2].map((column) =>
    Array.from({ length: rowsPerColumn }, (_, row) => items[(column + row * 3) % items.length]).filter(
      (item) => item !== undefined,
    ),
  )
  return (
    <div aria-hidden="true" className="thumbnail-wall">
      {columns.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three columns, always the same.
        <div key={index} className="thumbnail-wall-column">
          {column.map((item, row) => (
            <ThumbnailFrame
              // biome-ignore lint/suspicious/noArrayIndexKey: with few bookmarks the same one appears more than once.
              key={row}
              src={item.thumbnail_url}
              title={item.title}
              shape={item.shape}
              className="rounded-card"
            />
          ))}
        </div>
      ))}
    </div>
  )
}

/** A row of thumbnails above the headline on phones, which have no room for the wall. Decorative, as the wall is. */
export function ThumbnailStrip({ items }: { items: readonly ListingItem[] }) {
  return (
    <div aria-hidden="true" className="flex h-24 gap-2 overflow-hidden pt-3 pl-4 empty:hidden sm:hidden">
      {items.slice(0, 5).map((item) => (
        <ThumbnailFrame
          key={item.id}
          src={item.thumbnail_url}
          title={item.title}
          className="w-36 shrink-0 rounded-card"
        />
      ))}
    </div>
  )
}
