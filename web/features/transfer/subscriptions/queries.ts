import { listSubscriptions } from '@reelmark/contract/subscriptions.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** How often the list is polled until each address was read for the first time, in ms. */
const pollMs = 5_000

export const subscriptionsQuery = queryOptions({
  queryKey: ['transfer', 'subscriptions'],
  queryFn: ({ signal }) => api(listSubscriptions, {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.some(({ checked_at, is_paused }) => checked_at === null && !is_paused) ? pollMs : false,
})
