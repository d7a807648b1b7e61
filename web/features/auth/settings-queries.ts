import { listAccessTokens } from '@reelmark/contract/access-tokens.ts'
import { getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { listSessions } from '@reelmark/contract/accounts.ts'
import { getSignInMethods, listIdentities } from '@reelmark/contract/identities.ts'
import { listPasskeys } from '@reelmark/contract/passkeys.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { getSignInReview } from '@reelmark/contract/sign-in-review.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'

/** The largest page. Users rarely have more items than that. */
const fullPage = { page_size: limits.maxPageSize }

export const securityQuery = queryOptions({
  queryKey: ['settings', 'security'],
  queryFn: ({ signal }) => api(getAccountSecurity, {}, { signal }),
})

export const signInReviewQuery = queryOptions({
  queryKey: ['settings', 'sign-in-review'],
  queryFn: ({ signal }) => api(getSignInReview, {}, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['settings', 'sessions'],
  queryFn: async ({ signal }) => (await api(listSessions, { query: fullPage }, { signal })).results,
})

export const passkeysQuery = queryOptions({
  queryKey: ['settings', 'passkeys'],
  queryFn: async ({ signal }) => (await api(listPasskeys, { query: fullPage }, { signal })).results,
})

export const signInMethodsSettingsQuery = queryOptions({
  queryKey: ['settings', 'ways'],
  queryFn: ({ signal }) => api(getSignInMethods, {}, { signal }),
})

export const identitiesQuery = queryOptions({
  queryKey: ['settings', 'identities'],
  queryFn: async ({ signal }) => (await api(listIdentities, { query: fullPage }, { signal })).results,
})

export const tokensQuery = queryOptions({
  queryKey: ['settings', 'tokens'],
  queryFn: async ({ signal }) => (await api(listAccessTokens, { query: fullPage }, { signal })).results,
})

/** Fetches the sign-in settings again after they changed. */
export function invalidateSignInSettings(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['settings'] })
}
