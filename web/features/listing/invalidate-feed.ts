import type { QueryClient } from '@tanstack/react-query'

/** Fetches feeds again after what the viewer follows changed. */
export function invalidateFeed(client: QueryClient): void {
  void client.invalidateQueries({
    queryKey: ['videos'],
    predicate: ({ queryKey }) => (queryKey[1] as { sort?: string } | undefined)?.sort === 'following',
  })
}
