import { type Import, listImports } from '@reelmark/contract/imports.ts'
import { type Export, listExports } from '@reelmark/contract/transfer.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'

/** How often a running export or import is polled, in ms. */
const pollMs = 1_000

/** Only the newest are shown, because older exports have expired. */
const newestPage = { page_size: 10 }

export function isInProgress({ state }: Export | Import): boolean {
  return state === 'waiting' || state === 'running'
}

export const exportsQuery = queryOptions({
  queryKey: ['transfer', 'exports'],
  queryFn: async ({ signal }) => (await api(listExports, { query: newestPage }, { signal })).results,
  refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? pollMs : false),
})

export const importsQuery = queryOptions({
  queryKey: ['transfer', 'imports'],
  queryFn: async ({ signal }) => (await api(listImports, { query: newestPage }, { signal })).results,
  refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? pollMs : false),
})
