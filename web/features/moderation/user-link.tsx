import type { UserSummary } from '@reelmark/contract/protocol/fields.ts'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { Avatar } from '../../ui/avatar.tsx'

/** Links a username to the user's moderation history; shows `fallback` without a user. */
export function UserLink({
  user,
  fallback,
  withAvatar = false,
}: {
  user: UserSummary | null
  fallback: string
  withAvatar?: boolean
}) {
  if (user === null) return <span>{fallback}</span>
  return (
    <Link
      to="/moderator/users/$username"
      params={{ username: user.username }}
      className={`inline-flex min-w-0 items-center gap-1.5 font-medium text-ink underline-offset-4 hover:underline ${withAvatar ? 'touch-target' : ''}`}
    >
      {withAvatar && <Avatar src={user.avatar_url} size="sm" />}
      <span className="truncate">{user.username}</span>
      {user.is_verified && <BadgeCheck aria-label="Verified" className="size-4 shrink-0 text-accent-ink" />}
    </Link>
  )
}

/** Shows a shortcut key on a button. Screen readers announce the button's `aria-keyshortcuts` instead. */
export function KeyHint({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="-mr-1 inline-flex size-5 items-center justify-center rounded-chip border border-current/30 font-sans text-12 opacity-80 pointer-coarse:hidden max-lg:hidden"
    >
      {children}
    </span>
  )
}
