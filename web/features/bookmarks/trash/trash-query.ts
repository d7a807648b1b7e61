import { listTrash } from '@reelmark/contract/bookmark-changes.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

export type TrashQuery = NonNullable<Input<typeof listTrash>['query']>

/** A page of the viewer's trash. */
export function trashQuery(query: TrashQuery) {
  return queryOptions({
    queryKey: ['trash', query] as const,
    queryFn: ({ signal }) => api(listTrash, { query }, { signal }),
  })
}
