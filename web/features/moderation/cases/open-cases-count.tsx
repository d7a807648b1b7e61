import { countCases } from '@reelmark/contract/cases.ts'
import { useQuery } from '@tanstack/react-query'
import { cappedCount } from '../../../shared/counts/capped-count.ts'
import { fetchCount } from '../../../shared/counts/fetch-count.ts'

/** How often the count is fetched while the page is visible, in ms. */
const refetchIntervalMs = 60_000

/**
 * Shows the number of open cases inside a link to them; nothing if the number is 0 or unknown. Loaded for moderators
 * only. Decisions invalidate all queries, including this one.
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
