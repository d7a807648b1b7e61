import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { SuggestedUser } from '@reelmark/contract/suggestions.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import {
  SettingsEmpty,
  SettingsLoadFailed,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { chipClass } from '../../../ui/chip.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { FollowButton } from '../follows/follow-button.tsx'
import { popularTagsQuery, suggestedUsersQuery } from './queries.ts'

/** Tags to pick from, and users to follow who save videos with the picked ones. */
export function FollowStep() {
  const withAdult = useAdultConsent()
  const tags = useQuery(popularTagsQuery(withAdult))
  const [picked, setPicked] = useState<readonly string[]>([])
  if (tags.isPending) return <SettingsRowsSkeleton rows={1} label="Loading tags" />
  if (tags.isError) return <SettingsLoadFailed subject="popular tags" onRetry={() => void tags.refetch()} />
  if (tags.data.length === 0) {
    return (
      <SettingsEmpty>
        There are no tags yet.{' '}
        <Link to="/explore" className={textLinkClass}>
          Find videos and people in Explore
        </Link>
        .
      </SettingsEmpty>
    )
  }
  return (
    <>
      <TagChoice tags={tags.data} picked={picked} onPick={setPicked} />
      {picked.length > 0 && <SuggestedUsers tags={picked} withAdult={withAdult} />}
    </>
  )
}

interface TagChoiceProps {
  tags: readonly string[]
  picked: readonly string[]
  onPick: (picked: readonly string[]) => void
}

function TagChoice({ tags, picked, onPick }: TagChoiceProps) {
  const isFull = picked.length >= limits.pickedTagsMax
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Tags</legend>
      <div className="flex flex-wrap gap-2">
        {tags.map((tag) => {
          const isPicked = picked.includes(tag)
          return (
            <button
              key={tag}
              type="button"
              aria-pressed={isPicked}
              disabled={isFull && !isPicked}
              className={`${chipClass} disabled:cursor-not-allowed disabled:text-quiet aria-pressed:border-accent-ink aria-pressed:text-accent-ink`}
              onClick={() => onPick(isPicked ? picked.filter((name) => name !== tag) : [...picked, tag])}
            >
              {isPicked && <Check className="size-3.5 shrink-0" />}
              <span className="truncate">{tag}</span>
            </button>
          )
        })}
      </div>
      {isFull && <p className="text-13 text-quiet">You can pick up to {limits.pickedTagsMax} tags.</p>}
    </fieldset>
  )
}

function SuggestedUsers({ tags, withAdult }: { tags: readonly string[]; withAdult: boolean }) {
  const query = { ...suggestedUsersQuery(tags, withAdult), placeholderData: keepPreviousData }
  const { data, isError, isPlaceholderData, refetch } = useQuery(query)
  if (isError) return <SettingsLoadFailed subject="people" onRetry={() => void refetch()} />
  if (data === undefined) return <SettingsRowsSkeleton label="Loading people" />
  const users = data.results
  return (
    <div className="flex flex-col gap-3" aria-busy={isPlaceholderData}>
      <p role="status" className="text-13 text-quiet">
        {users.length > 0
          ? `${pluralise(users.length, 'person', 'people')} found`
          : 'No one to suggest for these tags yet. Pick others.'}
      </p>
      {users.length > 0 && (
        <SettingsRows label="People to follow">
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </SettingsRows>
      )}
    </div>
  )
}

function UserRow({ user }: { user: SuggestedUser }) {
  return (
    <SettingsRow
      icon={<Avatar src={user.avatar_url} />}
      title={
        <Link
          to="/users/$username"
          params={{ username: user.username }}
          className="py-1 hover:underline hover:underline-offset-4"
        >
          {user.username}
        </Link>
      }
      badge={
        user.is_verified && (
          <BadgeCheck role="img" aria-label="Verified" className="size-4 shrink-0 text-accent-ink" />
        )
      }
      facts={
        <>
          <span className="wrap-anywhere">Saves {user.tags.join(', ')}</span>
          <span>{pluralise(user.followers_count, 'follower')}</span>
        </>
      }
      action={<FollowButton user={user} isFollowed={user.is_followed} tone="plain" size="sm" />}
    />
  )
}
