import type { ListingItem } from '@reelmark/contract/listing.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate, useRouteContext } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { lazy, Suspense, useState } from 'react'
import { OwnPageScript } from '../../shared/session/own-page-script.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { deferPart } from '../../ui/defer-part.tsx'
import { JsonLd } from '../../ui/json-ld.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { SectionTitle } from '../../ui/section-title.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { useSelectionMode } from '../bookmarks/public-api.ts'
import {
  EmptyFilteredList,
  isNarrowed,
  LazyListTools,
  type ListSearch,
  listingQuery,
  PagedListing,
} from '../listing/public-api.ts'
import { type Container, coverOfChannel } from './container.ts'
import { collectionPageObject } from './container-head.ts'
import { ContainerHeader } from './container-header.tsx'
import { containerPageListing, containerWholeListing } from './container-listing.ts'
import { ContainerTile } from './container-tile.tsx'

const ReorderBookmarks = lazy(() =>
  import('./reorder-bookmarks.tsx').then((module) => ({ default: module.ReorderBookmarks })),
)

const MoveRows = lazy(() => import('./move-rows.tsx').then((module) => ({ default: module.MoveRows })))

const EmptyContainer = deferPart(() =>
  import('./empty-container.tsx').then((module) => module.EmptyContainer),
)

const loadOwnTools = () => import('./own-container-tools.tsx').then((module) => module.OwnContainerTools)

/** The page of a collection or channel: its details and bookmarks. */
export function ContainerPage({ container, search }: { container: Container; search: ListSearch }) {
  const navigate = useNavigate()
  const publicUrl = useRouteContext({ from: '__root__', select: (context) => context.publicUrl })
  const query = containerPageListing(container, search)
  const linkTo = (next: ListSearch): LinkProps => ({
    to: container.kind === 'collection' ? '/collections/$id' : '/channels/$id',
    params: { id: String(container.id) },
    search: next,
    resetScroll: false,
  })
  const [isReordering, setReordering] = useState(false)
  const selecting = useSelectionMode(`${container.kind}/${container.id}`)
  const OwnTools = useDeferredComponent(container.isOwner, loadOwnTools)
  const items = useQuery({ ...listingQuery(query), enabled: false }).data?.results ?? []
  return (
    <div className="page pt-2 sm:pt-10" suppressHydrationWarning>
      {import.meta.env.SSR && <OwnPageScript username={container.user.username} />}
      {container.parent !== null && (
        <Link
          to="/collections/$id"
          params={{ id: String(container.parent.id) }}
          className={buttonClass('quiet', 'md', '-ml-4 mb-2 max-w-full')}
        >
          <ArrowLeft className="size-4 shrink-0" />
          <span className="truncate">Back to {container.parent.name}</span>
        </Link>
      )}
      <ContainerHeader
        container={container}
        title={
          <PageTitle sizeClass="text-20 sm:text-39" className="wrap-anywhere">
            {container.name}
          </PageTitle>
        }
        listing={containerWholeListing(container, search)}
        onReorder={() => setReordering(true)}
      />
      {container.channels.length > 0 && (
        <section aria-labelledby="channels" className="mt-10">
          <SectionTitle id="channels" className="mb-4">
            Channels
          </SectionTitle>
          <ul className="card-grid">
            {container.channels.map((channel, index) => (
              <li key={channel.id}>
                <ContainerTile
                  name={channel.name}
                  cover={coverOfChannel(channel)}
                  eager={index < 4}
                  facts={pluralise(channel.bookmarks_count, 'bookmark')}
                  link={{ to: '/channels/$id', params: { id: String(channel.id) } }}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="bookmarks" className="mt-1 sm:mt-10">
        <SectionTitle
          id="bookmarks"
          className={container.channels.length > 0 ? 'mt-8 mb-4' : 'mb-4 max-sm:sr-only'}
        >
          {container.channels.length > 0 ? 'All bookmarks in this collection' : 'Bookmarks'}
        </SectionTitle>
        {isReordering ? null : container.isOwner || isNarrowed(search) ? (
          <LazyListTools
            label={`Search this ${container.kind}`}
            kind={container.isOwner ? 'own' : 'others'}
            ownOrder={container.listOrder}
            isInContainer
            hasOrientation
            search={search}
            onSearch={(next) => void navigate(linkTo(next as ListSearch))}
            linkTo={(next) => linkTo(next as ListSearch)}
          >
            {OwnTools && <OwnTools container={container} search={search} selectionMode={selecting} />}
          </LazyListTools>
        ) : (
          <div className="own-space" />
        )}
        {isReordering ? (
          <Suspense>
            <ReorderBookmarks container={container} onDone={() => setReordering(false)} />
          </Suspense>
        ) : (
          <PagedListing
            query={query}
            linkTo={(number) => ({
              ...linkTo({ ...search, page: number === 1 ? undefined : number }),
              resetScroll: true,
            })}
            empty={
              isNarrowed(search) ? (
                <EmptyFilteredList search={search} clear={linkTo({})} />
              ) : (
                <EmptyContainer container={container} />
              )
            }
            {...(container.isOwner && {
              selectionMode: selecting,
              ...((search.sort ?? container.listOrder) === 'manual' &&
                !isNarrowed(search) && {
                  renderMove: (item: ListingItem, onDone: () => void) => (
                    <MoveRows container={container} item={item} onDone={onDone} />
                  ),
                }),
            })}
          />
        )}
      </section>
      <JsonLd
        key={container.id}
        value={import.meta.env.SSR ? collectionPageObject(container, items, publicUrl) : null}
      />
    </div>
  )
}
