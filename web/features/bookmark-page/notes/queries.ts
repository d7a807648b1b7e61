import { listOwnNotes } from '@reelmark/contract/timed-notes.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** The viewer's notes on a bookmark. Browser only. */
export function ownNotesQuery(bookmarkId: number) {
  return queryOptions({
    queryKey: ['own-notes', bookmarkId] as const,
    queryFn: async ({ signal }) =>
      (await api(listOwnNotes, { params: { id: bookmarkId } }, { signal })).notes,
    retry: false,
  })
}
