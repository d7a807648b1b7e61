import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.ts'
import type { OwnCollections } from './place-fields.tsx'
import { ownCollections } from './queries.ts'

const none: OwnCollections['list'] = []

/** One's collections for the selects; a failure gives an empty list (product.md section 7) and a way to try again. */
export function useOwnCollections(): OwnCollections {
  const { data, isPending, isError, refetch } = useQuery({
    ...ownCollections,
    enabled: useSession().status === 'signed-in',
  })
  return {
    list: data ?? none,
    loading: isPending,
    failed: isError && data === undefined,
    retry: () => void refetch(),
  }
}
