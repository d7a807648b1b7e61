import type { Collection } from '@reelmark/contract/collections.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { SkeletonGrid } from '../../../ui/skeleton.tsx'
import { SelectButton, type SelectionMode } from '../../bookmarks/public-api.ts'
import {
  ContainerTile,
  collectionsQuery,
  loadOwnerCollectionsActions,
  loadSmartTiles,
  PrivateBadge,
} from '../../collections/public-api.ts'
import { PlayListing } from './play-listing.tsx'
import { ExploreLink, ProfileListing } from './profile-listing.tsx'
import type { ProfileSearch } from './profile-search.ts'

const OwnerCollectionsActions = lazy(() =>
  loadOwnerCollectionsActions().then((component) => ({ default: component })),
)

const SmartTiles = lazy(() => loadSmartTiles().then((component) => ({ default: component })))

interface ProfileCollectionsProps {
  profile: Profile
  isOwn: boolean
  search: ProfileSearch
  selectionMode: SelectionMode
}

/**
 * Shows the collections of a profile, the channels of one, or the bookmarks of a channel. Each step has its own
 * address.
 */
export function ProfileCollections({ profile, isOwn, search, selectionMode }: ProfileCollectionsProps) {
  const { username } = profile
  const collections = useQuery(collectionsQuery(username))
  const heading = useHeadingFocus(`${search.collection}/${search.channel}`)

  if (collections.isPending) return <SkeletonGrid label="Loading collections" />
  if (collections.isError) {
    return (
      <EmptyState title="Failed to load collections.">
        <Button tone="accent" onClick={() => void collections.refetch()}>
          Try again
        </Button>
      </EmptyState>
    )
  }
  if (search.collection === undefined) {
    return <Collections list={collections.data} heading={heading} username={username} isOwn={isOwn} />
  }
  const collection = collections.data.find(({ id }) => id === search.collection)
  const channel = collection?.channels.find(({ id }) => id === search.channel)
  if (collection === undefined || (search.channel !== undefined && channel === undefined)) {
    return (
      <EmptyState title="Collection not found">
        <Link
          to="/users/$username"
          params={{ username }}
          search={{ tab: 'collections' }}
          resetScroll={false}
          className={buttonClass('accent')}
        >
          Back to collections
        </Link>
      </EmptyState>
    )
  }
  const back =
    channel === undefined
      ? { text: 'Back to collections', search: { tab: 'collections' } as const }
      : {
          text: `Back to ${collection.name}`,
          search: { tab: 'collections', collection: collection.id } as const,
        }
  const container = channel ?? collection
  return (
    <section aria-labelledby="container">
      <Link
        to="/users/$username"
        params={{ username }}
        search={back.search}
        resetScroll={false}
        className={buttonClass('quiet', 'md', '-ml-4 max-w-full')}
      >
        <ArrowLeft className="size-4 shrink-0" />
        <span className="truncate">{back.text}</span>
      </Link>
      <div className="mt-2 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Heading id="container" heading={heading}>
          {container.name}
        </Heading>
        {collection.access === 'private' && <PrivateBadge />}
        <p className="text-14 text-quiet tabular-nums">{pluralise(container.bookmarks_count, 'bookmark')}</p>
        {isOwn && container.bookmarks_count > 0 && (
          <div className="ml-auto">
            <SelectButton selectionMode={selectionMode} />
          </div>
        )}
        {container.description.trim() !== '' && (
          <p className="measure w-full text-14 whitespace-pre-line text-quiet wrap-anywhere">
            {container.description}
          </p>
        )}
        <div className="mt-2 flex w-full flex-wrap gap-2">
          <PlayListing username={username} search={search} />
          <Link
            {...(channel === undefined
              ? { to: '/collections/$id', params: { id: String(collection.id) } }
              : { to: '/channels/$id', params: { id: String(channel.id) } })}
            className={buttonClass()}
          >
            {channel === undefined ? 'Open collection' : 'Open channel'}
          </Link>
        </div>
      </div>
      {channel === undefined && (
        <ChannelTiles collection={collection} username={username}>
          <h3 className="mt-10 mb-4 text-16 font-semibold">All bookmarks in this collection</h3>
        </ChannelTiles>
      )}
      <ProfileListing username={username} search={search} isOwn={isOwn} selectionMode={selectionMode} />
    </section>
  )
}

function Collections({
  list,
  heading,
  username,
  isOwn,
}: {
  list: readonly Collection[]
  heading: RefObject<HTMLHeadingElement | null>
  username: string
  isOwn: boolean
}) {
  return (
    <section aria-labelledby="collections">
      <div className="mb-6 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Heading id="collections" heading={heading}>
          Collections
        </Heading>
        {isOwn && (
          <Suspense>
            <OwnerCollectionsActions list={list} />
          </Suspense>
        )}
      </div>
      {list.length === 0 ? (
        <EmptyState
          title="No collections found."
          text={
            isOwn
              ? 'Every bookmark belongs to a collection. Add your first one.'
              : `${username} has no public collections.`
          }
        >
          {isOwn ? (
            <Link to="/bookmarks/create" search={{ tab: 'url' }} className={buttonClass('accent')}>
              Add Bookmark
            </Link>
          ) : (
            <ExploreLink />
          )}
        </EmptyState>
      ) : (
        <>
          <AdultNotice
            className="mb-6"
            orientations={list.map(({ display_image_orientation }) => display_image_orientation)}
          />
          <ul className="card-grid">
            {list.map((collection, index) => (
              <li key={collection.id}>
                <ContainerTile
                  name={collection.name}
                  cover={{
                    url: collection.display_image_url,
                    orientation: collection.display_image_orientation,
                  }}
                  eager={index < 4}
                  facts={collectionFacts(collection)}
                  mark={collection.access === 'private' && <PrivateMark />}
                  link={{
                    to: '/users/$username',
                    params: { username },
                    search: { tab: 'collections', collection: collection.id },
                    resetScroll: false,
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <Suspense>
        <SmartTiles username={username} />
      </Suspense>
    </section>
  )
}

function collectionFacts({ bookmarks_count, channels }: Collection): string {
  const bookmarks = pluralise(bookmarks_count, 'bookmark')
  return channels.length === 0 ? bookmarks : `${bookmarks}, ${pluralise(channels.length, 'channel')}`
}

/** A collection's channels, followed by `children`. */
function ChannelTiles({
  collection: { id, channels },
  username,
  children,
}: {
  collection: Collection
  username: string
  children: ReactNode
}) {
  return (
    <>
      {channels.length === 0 ? (
        <p className="rounded-card border border-dashed border-line px-4 py-5 text-14 text-quiet">
          No channels found in this collection.
        </p>
      ) : (
        <ul className="card-grid" aria-label="Channels">
          {channels.map((channel, index) => (
            <li key={channel.id}>
              <ContainerTile
                name={channel.name}
                cover={{ url: channel.imageUrl, orientation: channel.image_orientation }}
                eager={index < 4}
                facts={pluralise(channel.bookmarks_count, 'bookmark')}
                link={{
                  to: '/users/$username',
                  params: { username },
                  search: { tab: 'collections', collection: id, channel: channel.id },
                  resetScroll: false,
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {children}
    </>
  )
}

function Heading({
  id,
  heading,
  children,
}: {
  id: string
  heading: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  return (
    <SectionTitle ref={heading} id={id} tabIndex={-1} className="wrap-anywhere outline-none">
      {children}
    </SectionTitle>
  )
}

/** Moves the focus to the heading after a step, because the followed link disappeared. */
function useHeadingFocus(container: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const previous = useRef(container)
  useEffect(() => {
    if (previous.current === container) return
    previous.current = container
    heading.current?.focus({ preventScroll: true })
  }, [container])
  return heading
}
