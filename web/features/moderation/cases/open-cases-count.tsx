import { countCases } from '@reelmark/contract/moderation.ts'
import { useQuery } from '@tanstack/react-query'
import { cappedCount } from '../../../shared/counts/capped-count.ts'
import { fetchCount } from '../../../shared/counts/fetch-count.ts'

/** How often what others report and decide is asked for while the page is looked at, in ms. */
const refetchIntervalMs = 60_000

/**
 * How many cases wait, within the link that leads to them; nothing where none does, or nobody knows. Loaded for
 * moderators alone. What a moderator decides has all queries asked again, this one too.
 */
export function OpenCasesCount() {
  const { data } = useQuery({
    queryKey: ['moderation', 'open-cases'],
    queryFn: ({ signal }) => fetchCount(signal, countCases),
    staleTime: refetchIntervalMs,
    refetchInterval: refetchIntervalMs,
  })
  const count = data ?? 0
  if (count === 0) return null
  return (
    <>
      <span
        aria-hidden="true"
        className="ml-1.5 rounded-full bg-accent px-1.5 py-0.5 text-12 leading-none font-semibold text-accent-text tabular-nums"
      >
        {cappedCount(count)}
      </span>
      <span className="sr-only"> {cappedCount(count)} open</span>
    </>
  )
}
