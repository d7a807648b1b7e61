import { listTrash } from '@reelmark/contract/bookmark-changes.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** A page of the viewer's trash. */
export function trashQuery(page: number) {
  return queryOptions({
    queryKey: ['trash', page] as const,
    queryFn: ({ signal }) => api(listTrash, { query: { page } }, { signal }),
  })
}
