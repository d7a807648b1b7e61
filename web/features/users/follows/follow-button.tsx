import { useSession } from '../../../shared/session/session.ts'
import { Button, type ButtonSize, type ButtonTone } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useFollow } from './use-follow.ts'

interface FollowButtonProps {
  /** The id of the user, not of the profile. */
  user: { id: number; username: string }
  /** The state in the cached query that `cacheFollow` updates (use-follow.ts). */
  isFollowed: boolean
  /** The tone of 'Follow'; 'Unfollow' is always plain. */
  tone?: ButtonTone
  size?: ButtonSize
  className?: string
  /** Shows the error inside a dialog, where toasts are hidden. Default: a toast. */
  onProblem?: (text: string) => void
}

/**
 * A button to follow or unfollow a user, updated optimistically. Asks visitors to sign in. Renders nothing for the
 * viewer's own user.
 */
export function FollowButton({
  user,
  isFollowed,
  tone = 'accent',
  size = 'md',
  className = '',
  onProblem = (text) => void toast(text, { tone: 'danger' }),
}: FollowButtonProps) {
  const session = useSession()
  const follow = useFollow({ id: user.id, isFollowed }, () =>
    onProblem(`Couldn't ${isFollowed ? 'unfollow' : 'follow'} ${user.username}. Try again.`),
  )
  const isSelf =
    session.user?.id === user.id || session.username?.toLowerCase() === user.username.toLowerCase()
  if (isSelf) return null
  const label = follow.isFollowed ? 'Unfollow' : 'Follow'
  return (
    <Button
      tone={follow.isFollowed ? 'plain' : tone}
      size={size}
      className={`min-w-24 ${className}`}
      aria-label={`${label} ${user.username}`}
      onClick={follow.toggle}
    >
      {label}
    </Button>
  )
}
