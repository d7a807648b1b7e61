import { getModerationCounts } from '@reelmark/contract/sanctions.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../../shared/api/query-api.ts'

/** Monthly counts of reports and decisions, public for everyone. */
export const moderationCountsQuery = queryOptions({
  queryKey: ['moderation-counts'] as const,
  queryFn: ({ client }) => queryApi(client)(getModerationCounts, {}),
})
