import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { lengthText } from '../../ui/duration.ts'
import { pluralise } from '../../ui/pluralise.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ShortenedText } from '../../ui/shortened-text.tsx'
import { listingQuery } from '../listing/public-api.ts'
import type { Container } from './container.ts'
import { ContainerActions } from './container-actions.tsx'
import { ContainerCover } from './container-cover.tsx'
import { containerListing } from './container-listing.ts'
import { PrivateBadge } from './private-badge.tsx'

interface ContainerHeaderProps {
  container: Container
  /** The heading with its name. */
  title: ReactNode
  /** What is played: the list that follows. Without it, all bookmarks of the container. */
  listing?: ListingQuery
  /** Starts reordering the bookmarks, where the list of them follows. */
  onReorder?: () => void
}

export const containerHeaderClass =
  'grid grid-cols-[112px_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 sm:grid-cols-[200px_minmax(0,1fr)] lg:grid-cols-[280px_minmax(0,1fr)] sm:items-start sm:gap-x-8 sm:gap-y-3'

/** What a collection or channel is, on its own page and on the profile of its owner: cover, name, facts and actions. */
export function ContainerHeader({
  container,
  title,
  listing = containerListing(container),
  onReorder,
}: ContainerHeaderProps) {
  const { name, description } = container
  // The first bookmark of the list, whichever page is shown.
  const first = useQuery(listingQuery(listing)).data?.results[0]
  return (
    <header className={containerHeaderClass}>
      <ContainerCover cover={container.cover} name={name} eager className="rounded-card sm:row-span-3" />
      <div className="flex min-w-0 flex-col gap-0.5 sm:gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          {title}
          {container.access === 'private' && <PrivateBadge />}
        </div>
        <ContainerFacts container={container} />
      </div>
      {(description.trim() !== '' || container.access === 'private') && (
        <div className="flex flex-col gap-2 text-14 text-quiet max-sm:col-span-2 sm:col-start-2">
          {description.trim() !== '' && (
            <ShortenedText what="description" className="measure whitespace-pre-line wrap-anywhere">
              {description}
            </ShortenedText>
          )}
          {/* The badge beside the name says it on phones. */}
          {container.access === 'private' && (
            <p className="max-sm:sr-only">Private. Only you can see this.</p>
          )}
        </div>
      )}
      <ContainerActions
        container={container}
        first={first}
        listing={listing}
        onReorder={onReorder}
        className="max-sm:col-span-2 sm:col-start-2 sm:mt-2"
      />
    </header>
  )
}

/** The owner and the numbers, separated by dots. */
function ContainerFacts({ container }: { container: Container }) {
  const { user, bookmarksCount, channels, followersCount, totalDuration, updatedAt } = container
  const facts = [
    pluralise(bookmarksCount, 'video'),
    totalDuration !== null && lengthText(totalDuration),
    channels.length > 0 && pluralise(channels.length, 'channel'),
    followersCount > 0 && pluralise(followersCount, 'follower'),
  ]
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 text-quiet tabular-nums">
      <Link
        to="/users/$username"
        params={{ username: user.username }}
        className="touch-target flex min-w-0 items-center gap-2 font-medium text-ink hover:underline hover:underline-offset-4"
      >
        <Avatar src={user.avatar_url} className="size-6!" />
        <span className="truncate">{user.username}</span>
      </Link>
      {/* In narrow windows, the numbers are on the next line. */}
      <span aria-hidden="true" className="max-lg:hidden">
        ·
      </span>
      <span className="max-lg:w-full">
        {facts.filter(Boolean).join(' · ')}
        <span className="max-sm:hidden">
          {' '}
          · updated <RelativeTime time={updatedAt} />
        </span>
      </span>
    </p>
  )
}
