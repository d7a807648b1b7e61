import { getSmartCollection } from '@reelmark/contract/smart-collections.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../../shared/api/query-api.ts'

/** A smart collection for its page. */
export function smartCollectionQuery(id: number) {
  return queryOptions({
    queryKey: ['smart-collections', 'page', id] as const,
    queryFn: ({ client }) => queryApi(client)(getSmartCollection, { params: { id } }),
  })
}
