import {
  getImport,
  type Import,
  type ImportOutcomeName,
  listImportRows,
  listImports,
} from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type Export, listExports } from '@reelmark/contract/transfer.ts'
import { listUploads } from '@reelmark/contract/uploads.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'

/** How often a running export or import is polled, in ms. */
const pollMs = 1_000

/** How often the number of bookmarks that an import still completes is polled, in ms. */
const slowPollMs = 10_000

/** Returns how soon imports are polled again, in ms; false: not at all. */
function importPollMs(imports: readonly Import[]): number | false {
  if (imports.some(isInProgress)) return pollMs
  return imports.some(({ incomplete }) => incomplete > 0) && slowPollMs
}

/** Only the newest are shown, because older exports have expired. */
const newestPage = { page_size: 10 }

export function isInProgress({ state }: Export | Import): boolean {
  return state === 'fetching' || state === 'waiting' || state === 'running' || state === 'undoing'
}

export const exportsQuery = queryOptions({
  queryKey: ['transfer', 'exports'],
  queryFn: async ({ signal }) => (await api(listExports, { query: newestPage }, { signal })).results,
  refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? pollMs : false),
})

export const importsQuery = queryOptions({
  queryKey: ['transfer', 'imports'],
  queryFn: async ({ signal }) => (await api(listImports, { query: newestPage }, { signal })).results,
  refetchInterval: ({ state }) => importPollMs(state.data ?? []),
})

/** The upload that can continue, or null. */
export const uploadsQuery = queryOptions({
  queryKey: ['transfer', 'uploads'],
  queryFn: async ({ signal }) => (await api(listUploads, { query: {} }, { signal })).results[0] ?? null,
})

export function importQuery(id: number) {
  return queryOptions({
    queryKey: ['transfer', 'import', id] as const,
    queryFn: ({ signal }) => api(getImport, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => importPollMs(state.data === undefined ? [] : [state.data]),
  })
}

const firstPage: NextPage = { page: 1 }

/** The items of the file of an import with an outcome, in the order of the file; null: with any outcome. */
export function importRowsQuery(id: number, outcome: ImportOutcomeName | null) {
  return infiniteQueryOptions({
    queryKey: ['transfer', 'import', id, 'rows', outcome] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { page_size: limits.maxPageSize, ...(outcome !== null && { outcome }), ...pageParam }
      return api(listImportRows, { params: { id }, query }, { signal })
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPageParam,
  })
}
