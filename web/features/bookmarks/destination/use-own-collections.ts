import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../shared/session/session.ts'
import { ownCollectionsQuery } from '../add-bookmark/queries.ts'
import type { OwnCollections } from './destination-fields.tsx'

const noCollections: OwnCollections['list'] = []

/** Returns the viewer's collections for selects; after a failure, an empty list and a function to retry. */
export function useOwnCollections(): OwnCollections {
  const { data, isPending, isError, refetch } = useQuery({
    ...ownCollectionsQuery,
    enabled: useSession().status === 'signed-in',
  })
  return {
    list: data ?? noCollections,
    loading: isPending,
    failed: isError && data === undefined,
    retry: () => void refetch(),
  }
}
