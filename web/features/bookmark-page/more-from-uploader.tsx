import type { Video } from '@reelmark/contract/bookmarks.ts'
import { uploaderTerm } from '@reelmark/contract/search-terms.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { SectionTitle } from '../../ui/section-title.tsx'
import { useInView } from '../../ui/use-in-view.ts'
import { listingQuery, VideoGrid } from '../listing/public-api.ts'

/** How many videos are shown. One more is requested, because the video of the page is among them. */
const maxShown = 8

/**
 * Lists other videos of the same uploader and orientation, so that adult content is never shown next to other content. Requested
 * when the end of the page comes near; without others it shows nothing.
 */
export function MoreFromUploader({ video }: { video: Video }) {
  const name = video.uploader_name ?? null
  return name === null ? null : <MoreFrom key={video.id} name={name} video={video} />
}

function MoreFrom({ name, video: { id, host, orientation } }: { name: string; video: Video }) {
  const marker = useRef<HTMLDivElement>(null)
  const isNear = useInView(marker, false)
  const q = uploaderTerm(name)
  const { data } = useQuery({
    ...listingQuery({ q, host, orientation, page_size: maxShown + 1 }),
    enabled: isNear,
  })
  const others = (data?.results ?? []).filter(({ video_id }) => video_id !== id).slice(0, maxShown)
  if (others.length === 0) return <div ref={marker} />
  return (
    <section aria-labelledby="more-from-uploader" className="mt-16 border-t border-line pt-10">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <SectionTitle id="more-from-uploader">More from this channel</SectionTitle>
        <Link
          to="/explore"
          search={{ q, host, orientation }}
          className="text-14 text-quiet hover:text-ink hover:underline hover:underline-offset-4"
        >
          All from {name}
        </Link>
      </div>
      <VideoGrid items={others} eager={0} />
    </section>
  )
}
