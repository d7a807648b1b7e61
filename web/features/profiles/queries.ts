import { getProfile } from '@reelmark/contract/profiles.ts'
import { queryOptions } from '@tanstack/react-query'
import { apiOf } from '../../api-of.ts'

/** A user, by name whatever its case. */
export function profileQuery(username: string) {
  return queryOptions({
    queryKey: ['profile', username.toLowerCase()] as const,
    queryFn: ({ client }) => apiOf(client)(getProfile, { params: { username } }),
  })
}
