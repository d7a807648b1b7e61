import { followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { profileQuery } from './queries.ts'

/** Follow or Unfollow, as the server answers (product.md section 4); leads visitors to the login. */
export function ProfileFollow({ profile }: { profile: Profile }) {
  const client = useQueryClient()
  const router = useRouter()
  const { status } = useSession()
  const { username, user_id: id, is_followed: isFollowed } = profile
  const word = isFollowed ? 'Unfollow' : 'Follow'
  const { isPending, mutate } = useMutation({
    mutationFn: () => api(isFollowed ? unfollowUser : followUser, { params: { id } }),
    onSuccess: (reply) =>
      client.setQueryData(profileQuery(username).queryKey, (old) => old && followed(old, reply.is_followed)),
    onError: () => toast(`Failed to ${word.toLowerCase()} ${username}.`, { tone: 'danger' }),
  })
  return (
    <Button
      tone={isFollowed ? 'plain' : 'accent'}
      className="min-w-28"
      busy={isPending}
      onClick={() => {
        if (status === 'signed-in') mutate()
        else void router.navigate({ to: '/login', search: { redirect: router.state.location.href } })
      }}
    >
      {word}
    </Button>
  )
}

/** One follower more or fewer, never below none. */
export function followed(profile: Profile, isFollowed: boolean): Profile {
  if (profile.is_followed === isFollowed) return profile
  const followers_count = Math.max(0, profile.followers_count + (isFollowed ? 1 : -1))
  return { ...profile, is_followed: isFollowed, followers_count }
}
