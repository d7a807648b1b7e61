import * as limits from '@reelmark/contract/protocol/limits.ts'
import { listWebhookDeliveries, listWebhooks, type SentEvent } from '@reelmark/contract/webhooks.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['settings', 'webhooks'],
  queryFn: ({ signal }) => api(listWebhooks, {}, { signal }),
})

/** Fetches the newest deliveries of a webhook, and again every two seconds while one waits for its first attempt. */
export const deliveriesQuery = (id: number) =>
  queryOptions({
    queryKey: ['settings', 'webhooks', id, 'deliveries'],
    queryFn: async ({ signal }) =>
      (
        await api(
          listWebhookDeliveries,
          { params: { id }, query: { page_size: limits.maxPageSize } },
          { signal },
        )
      ).results,
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => delivery.state === 'waiting' && delivery.attempts === 0) ? 2_000 : false,
  })

export const eventLabels: Record<SentEvent, string> = {
  'bookmark.created': 'You save a video',
  'comment.created': 'Someone comments on a video you saved first, or replies to you',
  'report.created': 'Someone reports content',
  'webhook.test': 'Test',
}
