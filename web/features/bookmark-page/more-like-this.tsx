import { useQuery } from '@tanstack/react-query'
import { SectionTitle } from '../../ui/section-title.tsx'
import { SkeletonCard } from '../../ui/skeleton.tsx'
import { similarQuery, VideoGrid } from '../listing/public-api.ts'

/** Lists similar bookmarks below everything else. Without similar bookmarks it shows nothing. The page does not wait. */
export function MoreLikeThis({ id }: { id: number }) {
  const { data } = useQuery(similarQuery(id))
  if (data === undefined || data.results.length === 0) return null
  return (
    <section aria-labelledby="more" className="mt-10 border-t border-line pt-10">
      <Heading />
      <VideoGrid items={data.results} eager={0} />
    </section>
  )
}

/**
 * Lists similar bookmarks before a long discussion: a row to swipe in one column, else a list next to the comments. Its
 * space is reserved, so that nothing moves when they arrive.
 */
export function MoreLikeThisSidebar({ id }: { id: number }) {
  const { data, isError } = useQuery(similarQuery(id))
  if (isError || data?.results.length === 0) return null
  return (
    <section
      aria-labelledby="more"
      className="min-w-0 min-[1200px]:sticky min-[1200px]:bottom-6 min-[1200px]:mt-4 min-[1200px]:border-t min-[1200px]:border-line min-[1200px]:pt-8"
    >
      <Heading />
      {data === undefined ? (
        <div className="card-rail" role="status" aria-label="Loading similar videos">
          {skeletonKeys.map((key) => (
            <SkeletonCard key={key} />
          ))}
        </div>
      ) : (
        <VideoGrid items={data.results} eager={0} className="card-rail" />
      )}
    </section>
  )
}

const skeletonKeys = Array.from({ length: 10 }, (_, index) => `waiting-${index}`)

function Heading() {
  return (
    <SectionTitle id="more" className="mb-6">
      More like this
    </SectionTitle>
  )
}
