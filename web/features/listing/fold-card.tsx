import type { ListingItem } from '@reelmark/contract/listing.ts'
import { Link } from '@tanstack/react-router'
import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import { changeSearch, type ExploreSearch } from './explore-search.ts'
import { cardLinkClass, cardTitleClass } from './video-card.tsx'

const maxPictures = 4

/** Stands for bookmarks that one user saved one after the other, and leads to all of theirs, newest first. */
export function FoldCard({ items, search }: { items: readonly ListingItem[]; search: ExploreSearch }) {
  const owner = items[0]?.user_username ?? ''
  return (
    <article className="group relative">
      <div className="frame grid grid-cols-2 gap-0.5 rounded-card">
        {items.slice(0, maxPictures).map((item) => (
          <FoldPicture key={item.id} item={item} />
        ))}
      </div>
      <h3 className={cardTitleClass}>
        <Link
          to="/explore"
          search={changeSearch(search, { q: `user:${owner}`, sort: 'newest' })}
          className={cardLinkClass}
        >
          {owner} saved {items.length} more
        </Link>
      </h3>
    </article>
  )
}

function FoldPicture({ item }: { item: ListingItem }) {
  const isCovered = useIsAdultCovered(item.orientation)
  return (
    <ThumbnailFrame src={isCovered ? null : item.thumbnail_url} title={item.title}>
      {isCovered && <AdultCover title={item.title} />}
    </ThumbnailFrame>
  )
}
