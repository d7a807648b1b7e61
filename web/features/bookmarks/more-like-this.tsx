import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { isAdult } from '@reelmark/contract/fields.ts'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { useQuery } from '@tanstack/react-query'
import { listingQuery } from '../listing/queries.ts'
import { VideoGrid } from '../listing/video-grid.tsx'

const shown = 10

/** Others with the same first tag, or by the same person; beside what is fit for anyone only what is, too. */
export function likeThisQuery(bookmark: Bookmark) {
  const [tag] = bookmark.tags
  const query: ListingQuery = tag === undefined ? { user: bookmark.user.username } : { tag: tag.name }
  if (!isAdult(bookmark.video.orientation)) query.orientation = 'sfw'
  return listingQuery({ ...query, page_size: shown + 1 })
}

/** Fetched when the page is there, so that it never waits for this. */
export function MoreLikeThis({ bookmark }: { bookmark: Bookmark }) {
  const listing = useQuery(likeThisQuery(bookmark))
  const others = (listing.data?.results ?? [])
    .filter((item) => item.id !== bookmark.id && item.video_id !== bookmark.video.id)
    .slice(0, shown)
  if (others.length === 0) return null
  return (
    <section aria-labelledby="more" className="mt-16 border-t border-line pt-10">
      <h2 id="more" className="mb-6 font-display text-20 font-bold tracking-[-0.01em]">
        More like this
      </h2>
      <VideoGrid items={others} eager={0} />
    </section>
  )
}
