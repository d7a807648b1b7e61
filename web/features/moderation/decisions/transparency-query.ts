import { getModerationCounts } from '@reelmark/contract/sanctions.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../../shared/api/query-api.ts'

/** How much was reported and what became of it, by month; for everybody. */
export const moderationCountsQuery = queryOptions({
  queryKey: ['moderation-counts'] as const,
  queryFn: ({ client }) => queryApi(client)(getModerationCounts, {}),
})
