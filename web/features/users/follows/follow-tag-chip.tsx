import {
  followTag,
  getTagFollowStatus,
  type TagFollowStatus,
  unfollowTag,
} from '@reelmark/contract/followed-lists.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Plus from 'lucide-react/icons/plus'
import { api } from '../../../shared/api/api.ts'
import { useSession } from '../../../shared/session/session.ts'
import { chipClass } from '../../../ui/chip.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useFollowList } from '../../collections/public-api.ts'

function tagFollowQuery(tag: string) {
  return queryOptions({
    queryKey: ['tag-follow', tag] as const,
    queryFn: ({ signal }) => api(getTagFollowStatus, { query: { tag } }, { signal }),
  })
}

/** Follows or unfollows a tag. Asks visitors to sign in. */
export function FollowTagChip({ tag }: { tag: string }) {
  const { status } = useSession()
  const { data } = useQuery({ ...tagFollowQuery(tag), enabled: status === 'signed-in' })
  const { isFollowed, toggle } = useFollowTag(
    { tag, isFollowed: data?.is_followed === true },
    (text) => void toast(text, { tone: 'danger' }),
  )
  if (data === undefined && status !== 'signed-out') return null
  const Icon = isFollowed ? Check : Plus
  return (
    <button
      type="button"
      className={chipClass}
      aria-label={isFollowed ? 'Following this tag. Unfollow' : 'Follow this tag'}
      onClick={toggle}
    >
      <Icon className="size-3.5" />
      {isFollowed ? 'Following this tag' : 'Follow this tag'}
    </button>
  )
}

/** Returns whether the viewer follows a tag, updated optimistically, and a function to toggle it. */
export function useFollowTag(
  { tag, isFollowed }: { tag: string; isFollowed: boolean },
  onProblem: (text: string) => void,
  onChange: (isFollowed: boolean) => void = () => {},
) {
  const client = useQueryClient()
  return useFollowList<TagFollowStatus>({
    intent: { action: 'follow-tag', target: tag },
    name: 'the tag',
    isFollowed,
    send: (on) => api(on ? followTag : unfollowTag, { body: { tag } }),
    onReply: (status) => {
      client.setQueryData(tagFollowQuery(tag).queryKey, status)
      onChange(status.is_followed)
    },
    onProblem,
  })
}
