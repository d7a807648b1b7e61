import type { Profile } from '@reelmark/contract/profiles.ts'
import { BadgeCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/avatar.tsx'

/** Who someone is: face, name, counts and what they say of themselves; `children` is what one can do. */
export function ProfileHeader({ profile, children }: { profile: Profile; children?: ReactNode }) {
  const counts = [
    ['Bookmarks', profile.bookmarks_count],
    ['Likes', profile.likes_count],
    ['Followers', profile.followers_count],
    ['Following', profile.following_count],
  ] as const
  return (
    <header className="flex flex-col gap-5 sm:flex-row sm:items-center sm:gap-8">
      <Avatar src={profile.avatar_url} size="lg" />
      <div className="min-w-0 flex-1">
        <h1 className="flex items-center gap-2 font-display text-31 font-bold tracking-[-0.02em] sm:text-39">
          <span className="truncate">{profile.username}</span>
          {profile.is_verified && (
            <BadgeCheck
              role="img"
              aria-label="Verified"
              className="size-6 shrink-0 text-accent-ink"
              strokeWidth={1.75}
            />
          )}
        </h1>
        <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-14">
          {counts.map(([label, count]) => (
            <div key={label} className="flex flex-row-reverse items-baseline gap-1.5">
              <dt className="text-quiet">{label}</dt>
              <dd className="font-semibold tabular-nums">{count.toLocaleString('en')}</dd>
            </div>
          ))}
        </dl>
        <p className="measure mt-3 text-14 whitespace-pre-line text-quiet wrap-anywhere">
          {profile.bio.trim() || 'No description available'}
        </p>
      </div>
      {children}
    </header>
  )
}
