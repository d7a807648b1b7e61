import type { ListingItem } from '@reelmark/contract/listing.ts'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'

/** As many as the wall is ever high. */
const perColumn = 8

/**
 * Three columns of pictures that glide past each other into their places, and rest there. Only for the eye: the same
 * bookmarks stand below as links. Its pictures load when near, so none where the wall is not shown.
 */
export function ThumbnailWall({ items }: { items: readonly ListingItem[] }) {
  if (items.length < 3) return null
  const columns = [0, 1, 2].map((column) =>
    Array.from({ length: perColumn }, (_, row) => items[(column + row * 3) % items.length]).filter(
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
              // biome-ignore lint/suspicious/noArrayIndexKey: with few bookmarks the same picture stands here twice.
              key={row}
              src={item.thumbnail_url}
              title={item.title}
              contained={item.shape === 'portrait' || item.shape === 'square'}
              className="rounded-card"
            />
          ))}
        </div>
      ))}
    </div>
  )
}
