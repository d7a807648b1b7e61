import type { FollowEntry } from '@reelmark/contract/follows.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { type UserListKind, userListQuery } from '../profiles/queries.ts'
import { DialogList } from './dialog-list.tsx'
import { FollowButton } from './follow-button.tsx'
import { OwnFollowing } from './own-following.tsx'

interface UserListDialogProps {
  kind: UserListKind
  open: boolean
  profile: Profile
  isOwn: boolean
  onClose: () => void
}

/** Lists the followers of a user, or the users they follow. The viewer's own list also has followed collections and tags. */
export function UserListDialog({ open, ...list }: UserListDialogProps) {
  return (
    <Dialog open={open} onClose={list.onClose} title={list.kind === 'followers' ? 'Followers' : 'Following'}>
      {list.kind === 'following' && list.isOwn ? (
        <OwnFollowing users={<UserList {...list} />} onClose={list.onClose} />
      ) : (
        <UserList {...list} />
      )}
    </Dialog>
  )
}

function UserList({ kind, profile, isOwn, onClose }: Omit<UserListDialogProps, 'open'>) {
  const users = useInfiniteQuery(userListQuery(kind, profile.user_id))
  const [problem, setProblem] = useState<string | null>(null)
  if (users.isPending) return <UserListSkeleton />
  const found = users.data?.pages.flatMap(({ results }) => results) ?? []
  if (users.data !== undefined && found.length === 0)
    return <EmptyUserList kind={kind} name={isOwn ? null : profile.username} onClose={onClose} />
  return (
    <DialogList
      list={users}
      count={found.length}
      failedText={kind === 'followers' ? 'Failed to load followers' : 'Failed to load following'}
      problem={problem}
    >
      {found.map((user) => (
        <UserRow key={user.id} user={user} kind={kind} onNavigate={onClose} onProblem={setProblem} />
      ))}
    </DialogList>
  )
}

interface UserRowProps {
  user: FollowEntry
  kind: UserListKind
  onNavigate: () => void
  onProblem: (text: string) => void
}

function UserRow({ user, kind, onNavigate, onProblem }: UserRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <Avatar src={user.avatar_url} />
      <div className="min-w-0 flex-1 max-xs:basis-[calc(100%-52px)]">
        <p className="flex items-center gap-1 text-14 font-medium">
          <span className="truncate">{user.username}</span>
          {user.is_verified && (
            <BadgeCheck role="img" aria-label="Verified" className="size-4 shrink-0 text-accent-ink" />
          )}
        </p>
        <p className="text-13 text-quiet">
          {kind === 'followers' ? 'Followed since ' : 'Following since '}
          <time dateTime={user.followed_at} className="whitespace-nowrap">
            {new Date(user.followed_at).toLocaleDateString(undefined, { dateStyle: 'medium' })}
          </time>
        </p>
      </div>
      <div className="flex gap-2 max-xs:w-full max-xs:pl-13">
        <Link
          to="/users/$username"
          params={{ username: user.username }}
          aria-label={`View Profile of ${user.username}`}
          className={buttonClass('plain', 'sm')}
          onClick={onNavigate}
        >
          View Profile
        </Link>
        <FollowButton
          user={user}
          isFollowed={user.is_followed}
          tone="plain"
          size="sm"
          onProblem={onProblem}
        />
      </div>
    </li>
  )
}

/** @param name null for the viewer's own list. */
function EmptyUserList({
  kind,
  name,
  onClose,
}: {
  kind: UserListKind
  name: string | null
  onClose: () => void
}) {
  const isFollowers = kind === 'followers'
  return (
    <div className="flex flex-col items-center gap-2 py-8 text-center">
      <p className="text-16 font-medium">{isFollowers ? 'No followers found.' : 'No following found.'}</p>
      <p className="measure text-14 text-quiet">
        {isFollowers
          ? 'Followers appear here.'
          : `People ${name === null ? 'you follow' : `${name} follows`} appear here.`}
      </p>
      {name === null && (
        <Link to="/explore" className={buttonClass('accent', 'md', 'mt-3')} onClick={onClose}>
          Explore Bookmarks
        </Link>
      )}
    </div>
  )
}

function UserListSkeleton() {
  return (
    <div role="status" aria-label="Loading people" className="divide-y divide-line">
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="flex items-center gap-3 py-3">
          <div aria-hidden="true" className="skeleton size-10 shrink-0 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2">
            <SkeletonLine className="w-32" />
            <SkeletonLine className="h-3 w-48 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  )
}
