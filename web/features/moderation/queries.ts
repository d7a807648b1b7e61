import { listAppeals } from '@reelmark/contract/appeals.ts'
import { getCase, listCases } from '@reelmark/contract/cases.ts'
import { listContentRules } from '@reelmark/contract/content-rules.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { getStatistics, getUserHistory, listAuditLog, searchUsers } from '@reelmark/contract/sanctions.ts'
import { getVideoHealth } from '@reelmark/contract/video-health.ts'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CaseKey, type CaseSearch, caseListQuery } from './cases/case-search.ts'
import { moderatorApi } from './moderator-api.ts'

/** How often data that other moderators change is fetched, in ms. */
const refetchIntervalMs = 30_000

/** Other moderators work on the same data, so the data on screen is fetched repeatedly. */
const refetchOptions = {
  staleTime: 0,
  refetchInterval: refetchIntervalMs,
  refetchOnWindowFocus: 'always',
} as const

export function casesQuery(search: CaseSearch) {
  const query = caseListQuery(search)
  return queryOptions({
    queryKey: ['moderation', 'cases', query] as const,
    queryFn: ({ signal }) => moderatorApi(listCases, { query }, signal),
    placeholderData: keepPreviousData,
    ...refetchOptions,
  })
}

export function caseQuery({ kind, id }: CaseKey) {
  return queryOptions({
    queryKey: ['moderation', 'case', kind, id] as const,
    queryFn: ({ signal }) => moderatorApi(getCase, { params: { kind, id } }, signal),
    ...refetchOptions,
  })
}

export function appealsQuery(query: Input<typeof listAppeals>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'appeals', query] as const,
    queryFn: ({ signal }) => moderatorApi(listAppeals, { query }, signal),
    placeholderData: keepPreviousData,
    ...refetchOptions,
  })
}

export function usersQuery(query: Input<typeof searchUsers>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'users', query] as const,
    queryFn: ({ signal }) => moderatorApi(searchUsers, { query }, signal),
    placeholderData: keepPreviousData,
  })
}

export function rulesQuery(query: Input<typeof listContentRules>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'rules', query] as const,
    queryFn: ({ signal }) => moderatorApi(listContentRules, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function userHistoryQuery(username: string) {
  return queryOptions({
    queryKey: ['moderation', 'record', username.toLowerCase()] as const,
    queryFn: ({ signal }) => moderatorApi(getUserHistory, { params: { username } }, signal),
    staleTime: 0,
  })
}

export function auditQuery(query: Input<typeof listAuditLog>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'audit', query] as const,
    queryFn: ({ signal }) => moderatorApi(listAuditLog, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function statisticsQuery(days: number) {
  return queryOptions({
    queryKey: ['moderation', 'statistics', days] as const,
    queryFn: ({ signal }) => moderatorApi(getStatistics, { query: { days } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export const videoHealthQuery = queryOptions({
  queryKey: ['moderation', 'video-health'] as const,
  queryFn: ({ signal }) => moderatorApi(getVideoHealth, {}, signal),
  ...refetchOptions,
})

/** Fetches everything again after a decision, which may change any data on screen and any cached bookmark. */
export function invalidateModeration(client: QueryClient): Promise<void> {
  return client.invalidateQueries()
}
