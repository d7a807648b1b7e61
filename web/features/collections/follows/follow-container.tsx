import type { ChannelPage, CollectionPage } from '@reelmark/contract/collections.ts'
import {
  followChannel,
  followCollection,
  unfollowChannel,
  unfollowCollection,
} from '@reelmark/contract/followed-lists.ts'
import type { FollowStatus } from '@reelmark/contract/follows.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { Button, type ButtonSize, type ButtonTone } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Container } from '../container.ts'
import { useFollowList } from './use-follow-list.ts'

const calls = {
  collection: { follow: followCollection, unfollow: unfollowCollection },
  channel: { follow: followChannel, unfollow: unfollowChannel },
}

interface FollowContainerProps {
  container: Pick<Container, 'kind' | 'id' | 'name'>
  isFollowed: boolean
  /** The tone of 'Follow'; 'Following' is always plain. */
  tone?: ButtonTone
  size?: ButtonSize
  className?: string
  onChange?: (isFollowed: boolean) => void
  /** Shows the error inside a dialog, where toasts are hidden. Default: a toast. */
  onProblem?: (text: string) => void
}

/** A button to follow or unfollow a collection or channel, updated optimistically. Asks visitors to sign in. */
export function FollowContainer({
  container: { kind, id, name },
  isFollowed,
  tone = 'accent',
  size = 'md',
  className = '',
  onChange = () => {},
  onProblem = (text) => void toast(text, { tone: 'danger' }),
}: FollowContainerProps) {
  const client = useQueryClient()
  const follow = useFollowList<FollowStatus>({
    intent: { action: `follow-${kind}`, target: id },
    name,
    isFollowed,
    send: (on) => api(calls[kind][on ? 'follow' : 'unfollow'], { params: { id } }),
    onReply: (status) => {
      client.setQueryData<CollectionPage | ChannelPage>(
        [`${kind}s`, 'page', id],
        (page) => page && { ...page, ...status },
      )
      onChange(status.is_followed)
    },
    onProblem,
  })
  return (
    <Button
      tone={follow.isFollowed ? 'plain' : tone}
      size={size}
      className={className}
      aria-label={follow.isFollowed ? `Following ${name}. Unfollow` : `Follow ${name}`}
      onClick={follow.toggle}
    >
      {follow.isFollowed ? 'Following' : 'Follow'}
    </Button>
  )
}
