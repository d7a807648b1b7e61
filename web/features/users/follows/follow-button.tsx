import { useSession } from '../../../shared/session/session.ts'
import { Button, type ButtonSize, type ButtonTone } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useFollow } from './use-follow.ts'

interface FollowButtonProps {
  /** `id` of the user, not of the profile. */
  person: { id: number; username: string }
  /** As the query that shows them says; a follow is put there (use-follow.ts). */
  isFollowed: boolean
  /** Of 'Follow'; 'Unfollow' is plain. */
  tone?: ButtonTone
  size?: ButtonSize
  className?: string
  /** Says why it failed where a toast is not seen: inside a dialog. */
  onProblem?: (text: string) => void
}

/** Follow or Unfollow, at once; leads visitors to the login. Nothing beside oneself: nobody follows themselves. */
export function FollowButton({
  person,
  isFollowed,
  tone = 'accent',
  size = 'md',
  className = '',
  onProblem = (text) => void toast(text, { tone: 'danger' }),
}: FollowButtonProps) {
  const { username, user } = useSession()
  const follow = useFollow({ id: person.id, isFollowed }, () =>
    onProblem(`Couldn't ${isFollowed ? 'unfollow' : 'follow'} ${person.username}. Try again.`),
  )
  const isSelf = user?.id === person.id || username?.toLowerCase() === person.username.toLowerCase()
  if (isSelf) return null
  const label = follow.isFollowed ? 'Unfollow' : 'Follow'
  return (
    <Button
      tone={follow.isFollowed ? 'plain' : tone}
      size={size}
      className={`min-w-24 ${className}`}
      aria-label={`${label} ${person.username}`}
      onClick={follow.toggle}
    >
      {label}
    </Button>
  )
}
