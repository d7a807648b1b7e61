import { useQuery } from '@tanstack/react-query'
import { similarQuery } from '../listing/queries.ts'
import { VideoGrid } from '../listing/video-grid.tsx'

/** Others like a bookmark; nothing where there are none. The page never waits for them. */
export function MoreLikeThis({ id }: { id: number }) {
  const { data } = useQuery(similarQuery(id))
  if (data === undefined || data.results.length === 0) return null
  return (
    <section aria-labelledby="more" className="mt-16 border-t border-line pt-10">
      <h2 id="more" className="mb-6 font-display text-20 font-bold tracking-[-0.01em]">
        More like this
      </h2>
      <VideoGrid items={data.results} eager={0} />
    </section>
  )
}
