import type { Profile } from '@reelmark/contract/profiles.ts'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import type { ReactNode } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { ShortenedText } from '../../../ui/shortened-text.tsx'
import type { ProfileSearch } from './profile-search.ts'
import type { UserListKind } from './queries.ts'

interface ProfileHeaderProps {
  profile: Profile
  search: ProfileSearch
  onShowUsers: (kind: UserListKind) => void
  /** The actions. */
  children?: ReactNode
}

/** The header of a profile: avatar, name, counts with links, and bio. */
export function ProfileHeader({ profile, search, onShowUsers, children }: ProfileHeaderProps) {
  const { username } = profile
  const tabs = [
    { tab: undefined, label: 'Bookmarks', count: profile.bookmarks_count },
    { tab: 'liked', label: 'Likes', count: profile.likes_count },
  ] as const
  const users = [
    { kind: 'followers', label: 'Followers', count: profile.followers_count },
    { kind: 'following', label: 'Following', count: profile.following_count },
  ] as const
  return (
    <header className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1.5 sm:gap-x-8 sm:gap-y-3 md:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Avatar
        src={profile.avatar_url}
        size="lg"
        className="max-sm:row-span-2 max-sm:size-12! sm:row-span-3 sm:self-start"
      />
      <PageTitle
        sizeClass="text-20 sm:text-31 lg:text-39"
        className="flex min-w-0 items-center gap-2 max-sm:self-end max-sm:leading-6"
      >
        <span className="min-w-0 wrap-anywhere">{username}</span>
        {profile.is_verified && (
          <BadgeCheck
            role="img"
            aria-label="Verified"
            className="size-5 shrink-0 text-accent-ink sm:size-6"
          />
        )}
      </PageTitle>
      <ul className="col-start-2 flex flex-wrap gap-x-2 text-12 max-sm:-mt-1 max-sm:self-start sm:-mx-2 sm:gap-x-0 sm:gap-y-1 sm:text-14">
        {tabs.map(({ tab, label, count }) => (
          <li key={label}>
            <Link
              to="/users/$username"
              params={{ username }}
              search={{ tab, orientation: search.orientation }}
              resetScroll={false}
              activeOptions={{ exact: true }}
              className={countClass}
            >
              <ProfileCount count={count} label={label} />
            </Link>
          </li>
        ))}
        {users.map(({ kind, label, count }) => (
          <li key={kind}>
            <button
              type="button"
              aria-haspopup="dialog"
              className={countClass}
              onClick={() => onShowUsers(kind)}
            >
              <ProfileCount count={count} label={label} />
            </button>
          </li>
        ))}
      </ul>
      <div className="measure text-14 text-quiet max-sm:col-span-2 sm:col-start-2">
        <ShortenedText
          key={username}
          what="description"
          dir="auto"
          className="whitespace-pre-line wrap-anywhere"
        >
          <LinkedText text={profile.bio.trim() || 'No description available'} />
        </ShortenedText>
      </div>
      <div className="max-md:col-span-2 max-sm:grid sm:max-md:col-start-2 sm:max-md:justify-self-start md:col-start-3 md:row-span-3 md:row-start-1 md:self-start">
        {children}
      </div>
    </header>
  )
}

const countClass =
  'group inline-flex pointer-coarse:min-w-11 rounded-control transition-colors hover:bg-hover max-sm:gap-1 max-sm:pointer-coarse:-my-3.5 max-sm:pointer-coarse:py-3.5 sm:h-8 sm:items-center sm:gap-1.5 sm:px-2 sm:pointer-coarse:h-11'

/** A number and what is counted, which is given in the plural: '1 Like', '2 Likes'. */
function ProfileCount({ count, label }: { count: number; label: string }) {
  return (
    <>
      <span className="font-semibold text-ink tabular-nums">{count.toLocaleString('en')}</span>{' '}
      <span className="text-quiet transition-colors group-hover:text-ink">
        {count === 1 ? label.replace(/s$/, '') : label}
      </span>
    </>
  )
}
