import type { Collection } from '@reelmark/contract/collections.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Share2 from 'lucide-react/icons/share-2'
import { lazy, type ReactNode, type RefCallback, Suspense, useState } from 'react'
import { AdultNotice } from '../../../shared/adult/adult-notice.tsx'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { SkeletonGrid } from '../../../ui/skeleton.tsx'
import { SelectButton, type SelectionMode } from '../../bookmarks/public-api.ts'
import {
  ContainerTile,
  channelQuery,
  collectionQuery,
  collectionsQuery,
  containerFromChannel,
  containerFromCollection,
  coverOfChannel,
  coverOfCollection,
  loadContainerHeader,
  loadOwnerCollectionsActions,
  loadShareDialog,
  loadSmartTiles,
} from '../../collections/public-api.ts'
import { Heading, useHeadingFocus } from './heading-focus.tsx'
import { ExploreLink, ProfileListing } from './profile-listing.tsx'
import type { ProfileSearch } from './profile-search.ts'

const OwnerCollectionsActions = lazy(() =>
  loadOwnerCollectionsActions().then((component) => ({ default: component })),
)

const ContainerHeader = lazy(() => loadContainerHeader().then((component) => ({ default: component })))

const ShareDialog = lazy(() => loadShareDialog().then((component) => ({ default: component })))

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
      <div className="mt-2 mb-8">
        <DrillDownHeader
          kind={channel === undefined ? 'collection' : 'channel'}
          id={container.id}
          title={
            <Heading id="container" heading={heading}>
              {container.name}
            </Heading>
          }
        />
      </div>
      {channel === undefined && <ChannelTiles collection={collection} username={username} />}
      <div className="mt-10 mb-4 flex min-h-11 items-center justify-between gap-4">
        <h3 className="text-16 font-semibold">
          {channel === undefined ? 'All bookmarks in this collection' : 'Bookmarks'}
        </h3>
        {isOwn && container.bookmarks_count > 0 && <SelectButton selectionMode={selectionMode} />}
      </div>
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
  heading: RefCallback<HTMLHeadingElement>
  username: string
  isOwn: boolean
}) {
  const [shared, setShared] = useState<{ collection: Collection; open: boolean } | null>(null)
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
                  cover={coverOfCollection(collection)}
                  eager={index < 4}
                  facts={collectionFacts(collection)}
                  mark={collection.access === 'private' && <PrivateMark />}
                  link={{
                    to: '/users/$username',
                    params: { username },
                    search: { tab: 'collections', collection: collection.id },
                    resetScroll: false,
                  }}
                >
                  <ShareTile name={collection.name} onShare={() => setShared({ collection, open: true })} />
                </ContainerTile>
              </li>
            ))}
          </ul>
        </>
      )}
      <Suspense>
        {shared !== null && (
          <ShareDialog
            container={{
              ...shared.collection,
              kind: 'collection',
              bookmarksCount: shared.collection.bookmarks_count,
              cover: coverOfCollection(shared.collection),
              username,
            }}
            open={shared.open}
            onClose={() => setShared({ ...shared, open: false })}
          />
        )}
        <SmartTiles username={username} />
      </Suspense>
    </section>
  )
}

function ShareTile({ name, onShare }: { name: string; onShare: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Share ${name}`}
      title="Share"
      aria-haspopup="dialog"
      className="absolute top-2 right-2 flex size-9 items-center justify-center rounded-control bg-picture-shade text-picture-ink opacity-0 transition-opacity group-hover:opacity-100 group-has-focus-visible:opacity-100 hover:bg-black pointer-coarse:size-11 pointer-coarse:opacity-100"
      onClick={onShare}
    >
      <Share2 className="size-[18px]" />
    </button>
  )
}

function collectionFacts({ bookmarks_count, channels }: Collection): string {
  const bookmarks = pluralise(bookmarks_count, 'bookmark')
  return channels.length === 0 ? bookmarks : `${bookmarks}, ${pluralise(channels.length, 'channel')}`
}

/** The same header as on the page of the collection or channel; its heading alone until it is loaded. */
function DrillDownHeader({
  kind,
  id,
  title,
}: {
  kind: 'collection' | 'channel'
  id: number
  title: ReactNode
}) {
  const collection = useQuery({ ...collectionQuery(id), enabled: kind === 'collection' }).data
  const channel = useQuery({ ...channelQuery(id), enabled: kind === 'channel' }).data
  const container =
    kind === 'collection'
      ? collection && containerFromCollection(collection)
      : channel && containerFromChannel(channel)
  return (
    <Suspense fallback={title}>
      {container === undefined ? title : <ContainerHeader container={container} title={title} />}
    </Suspense>
  )
}

/** A collection's channels. */
function ChannelTiles({
  collection: { id, channels },
  username,
}: {
  collection: Collection
  username: string
}) {
  return channels.length === 0 ? (
    <p className="rounded-card border border-dashed border-line px-4 py-5 text-14 text-quiet">
      No channels found in this collection.
    </p>
  ) : (
    <ul className="card-grid" aria-label="Channels">
      {channels.map((channel, index) => (
        <li key={channel.id}>
          <ContainerTile
            name={channel.name}
            cover={coverOfChannel(channel)}
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
  )
}
