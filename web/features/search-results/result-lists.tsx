import type { FoundCollection } from '@reelmark/contract/collections.ts'
import type { FoundUser } from '@reelmark/contract/profiles.ts'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { AdultNotice } from '../../shared/adult/adult-notice.tsx'
import { PrivateMark } from '../../shared/private-mark.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { chipClass } from '../../ui/chip.tsx'
import { ListBox, listBoxClass } from '../../ui/list-box.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { SkeletonGrid, SkeletonLine } from '../../ui/skeleton.tsx'
import { ContainerTile } from '../collections/public-api.ts'
import type { ResultKind } from '../listing/public-api.ts'
import { FollowButton } from '../users/public-api.ts'

export function CollectionGrid({ collections }: { collections: readonly FoundCollection[] }) {
  return (
    <>
      <AdultNotice
        className="mb-6"
        orientations={collections.map(({ display_image_orientation }) => display_image_orientation)}
      />
      <ul className="card-grid">
        {collections.map((collection, index) => (
          <li key={collection.id}>
            <ContainerTile
              name={collection.name}
              cover={{ url: collection.display_image_url, orientation: collection.display_image_orientation }}
              eager={index < 4}
              facts={`${collection.user.username}, ${pluralise(collection.bookmarks_count, 'bookmark')}`}
              mark={collection.access === 'private' && <PrivateMark />}
              link={{ to: '/collections/$id', params: { id: String(collection.id) } }}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

export function UserList({ users }: { users: readonly FoundUser[] }) {
  return (
    <ListBox className="max-w-200">
      {users.map((user) => (
        <li key={user.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
          <Avatar src={user.avatar_url} />
          <div className="min-w-0 flex-1">
            <p className="flex items-center gap-1 text-14 font-medium">
              <Link
                to="/users/$username"
                params={{ username: user.username }}
                className="touch-target truncate hover:underline pointer-fine:py-1 hover:underline-offset-4"
              >
                {user.username}
              </Link>
              {user.is_verified && (
                <BadgeCheck role="img" aria-label="Verified" className="size-4 shrink-0 text-accent-ink" />
              )}
            </p>
            <p className="text-13 text-quiet tabular-nums">
              {pluralise(user.followers_count, 'follower')}, {pluralise(user.bookmarks_count, 'bookmark')}
            </p>
            {user.bio.trim() !== '' && (
              <p className="mt-1 line-clamp-2 text-14 text-quiet wrap-anywhere">{user.bio}</p>
            )}
          </div>
          <FollowButton user={user} isFollowed={user.is_followed} tone="plain" size="sm" />
        </li>
      ))}
    </ListBox>
  )
}

export function TagList({ tags }: { tags: readonly { name: string; uses_count: number }[] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {tags.map(({ name, uses_count }) => (
        <li key={name} className="max-w-full">
          <Link to="/explore" search={{ tag: name }} className={chipClass}>
            <span className="truncate">{name}</span>
            <span className="text-quiet tabular-nums">
              {uses_count.toLocaleString('en')}
              <span className="sr-only"> {uses_count === 1 ? 'bookmark' : 'bookmarks'}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const skeletonKeys = ['1', '2', '3', '4', '5', '6']

/** Placeholders in the shape of the results. */
export function ResultsSkeleton({ kind }: { kind: ResultKind }) {
  if (kind === 'collections') return <SkeletonGrid label="Loading collections" />
  return (
    <div role="status" aria-label={`Loading ${kind}`}>
      {kind === 'people' ? (
        <div className={`${listBoxClass} max-w-200`}>
          {skeletonKeys.map((key) => (
            <div key={key} aria-hidden="true" className="flex items-center gap-3 p-4">
              <div className="skeleton size-10 rounded-full!" />
              <div className="flex flex-1 flex-col gap-2">
                <SkeletonLine className="w-40" />
                <SkeletonLine className="h-3 w-24" />
              </div>
            </div>
          ))}
        </div>
      ) : (
        <div className="flex flex-wrap gap-2">
          {skeletonKeys.map((key) => (
            <div key={key} aria-hidden="true" className="skeleton h-8 w-24 rounded-full!" />
          ))}
        </div>
      )}
    </div>
  )
}
