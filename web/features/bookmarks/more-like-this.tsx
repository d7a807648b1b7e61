import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import { VideoGrid } from '../listing/video-grid.tsx'
import { likeThisQuery, likeThisShown } from './queries.ts'

/** Fetched when the page is there, so that it never waits for this. */
export function MoreLikeThis({ bookmark }: { bookmark: Bookmark }) {
  const listing = useQuery(likeThisQuery(bookmark))
  const others = (listing.data?.results ?? [])
    .filter((item) => item.id !== bookmark.id && item.video_id !== bookmark.video.id)
    .slice(0, likeThisShown)
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
