import type { Input } from '@reelmark/contract/endpoint.ts'
import { getCase, listAppeals, listCases } from '@reelmark/contract/moderation.ts'
import { getStatistics, getUserRecord, listAudit, searchUsers } from '@reelmark/contract/sanctions.ts'
import { listRules } from '@reelmark/contract/screening.ts'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { moderatorCall } from './moderator-call.ts'
import { type CaseKey, type QueueSearch, queueQuery } from './queue-search.ts'

/** How often what others do is asked for, in ms. */
const often = 30_000

/** Somebody else works on the same: what is on screen is asked for again and again. */
const fresh = { staleTime: 0, refetchInterval: often, refetchOnWindowFocus: 'always' } as const

export function casesQuery(search: QueueSearch) {
  const query = queueQuery(search)
  return queryOptions({
    queryKey: ['moderation', 'cases', query] as const,
    queryFn: ({ signal }) => moderatorCall(listCases, { query }, signal),
    placeholderData: keepPreviousData,
    ...fresh,
  })
}

export function caseQuery({ kind, id }: CaseKey) {
  return queryOptions({
    queryKey: ['moderation', 'case', kind, id] as const,
    queryFn: ({ signal }) => moderatorCall(getCase, { params: { kind, id } }, signal),
    ...fresh,
  })
}

export function appealsQuery(query: Input<typeof listAppeals>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'appeals', query] as const,
    queryFn: ({ signal }) => moderatorCall(listAppeals, { query }, signal),
    placeholderData: keepPreviousData,
    ...fresh,
  })
}

export function usersQuery(query: Input<typeof searchUsers>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'users', query] as const,
    queryFn: ({ signal }) => moderatorCall(searchUsers, { query }, signal),
    placeholderData: keepPreviousData,
  })
}

export function rulesQuery(query: Input<typeof listRules>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'rules', query] as const,
    queryFn: ({ signal }) => moderatorCall(listRules, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function recordQuery(username: string) {
  return queryOptions({
    queryKey: ['moderation', 'record', username.toLowerCase()] as const,
    queryFn: ({ signal }) => moderatorCall(getUserRecord, { params: { username } }, signal),
    staleTime: 0,
  })
}

export function auditQuery(query: Input<typeof listAudit>['query']) {
  return queryOptions({
    queryKey: ['moderation', 'audit', query] as const,
    queryFn: ({ signal }) => moderatorCall(listAudit, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function statisticsQuery(days: number) {
  return queryOptions({
    queryKey: ['moderation', 'statistics', days] as const,
    queryFn: ({ signal }) => moderatorCall(getStatistics, { query: { days } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** After something was decided: everything on screen may be another, and what is kept of bookmarks is. */
export function moderationChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries()
}
