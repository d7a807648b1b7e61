import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../shared/session/session.ts'
import { FollowButton, profileQuery } from '../users/public-api.ts'

/** Follows the owner of a bookmark. For a signed-in viewer it appears once it is known whether they follow the owner already. */
export function OwnerFollow({ user }: Pick<Bookmark, 'user'>) {
  const isSignedIn = useSession().status === 'signed-in'
  const { data } = useQuery({ ...profileQuery(user.username), enabled: isSignedIn })
  if (isSignedIn && data === undefined) return null
  return <FollowButton user={user} isFollowed={data?.is_followed ?? false} tone="plain" size="sm" />
}
