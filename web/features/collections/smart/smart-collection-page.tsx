import type { SmartCollection } from '@reelmark/contract/smart-collections.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Share2 from 'lucide-react/icons/share-2'
import { lazy, Suspense } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { shareLink } from '../../../ui/share-link.ts'
import { listingQuery, PagedListing } from '../../listing/public-api.ts'
import { PlayAll } from '../../videos/public-api.ts'
import { smartListing } from '../container-listing.ts'
import { PrivateBadge } from '../private-badge.tsx'
import { QueryDescription } from './smart-query.ts'

const FeedLink = lazy(() =>
  import('../../../shared/feeds/feed-link.tsx').then((module) => ({ default: module.FeedLink })),
)
const SmartActions = lazy(() =>
  import('./smart-actions.tsx').then((module) => ({ default: module.SmartActions })),
)

interface SmartCollectionPageProps {
  collection: SmartCollection
  page: number | undefined
}

/** The page of a smart collection: its details, and the bookmarks that its search finds now. */
export function SmartCollectionPage({ collection, page }: SmartCollectionPageProps) {
  const { id, name, description, access, user, query } = collection
  const all = smartListing(id, undefined)
  const listing = smartListing(id, page)
  const { data } = useQuery({ ...listingQuery(listing), enabled: false })
  // The first bookmark, whichever page is shown.
  const first = useQuery(listingQuery(all)).data?.results[0]
  return (
    <div className="page pt-6 sm:pt-10">
      <header className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <PageTitle sizeClass="text-25 sm:text-39" className="wrap-anywhere">
            {name}
          </PageTitle>
          <Badge>Smart collection</Badge>
          {access === 'private' && <PrivateBadge />}
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-14 text-quiet tabular-nums">
          <Link
            to="/users/$username"
            params={{ username: user.username }}
            className="font-medium text-ink hover:underline hover:underline-offset-4"
          >
            {user.username}
          </Link>
          {data !== undefined && (
            <span>
              {data.count_is_estimate === true && 'about '}
              {pluralise(data.count, 'bookmark')}
            </span>
          )}
        </p>
        {description.trim() !== '' && (
          <p className="measure text-14 whitespace-pre-line text-quiet wrap-anywhere">{description}</p>
        )}
        {query !== undefined && (
          <p className="text-14 text-quiet wrap-anywhere">
            <span className="sr-only">Search: </span>
            <QueryDescription query={query} username={user.username} />
          </p>
        )}
        <fieldset className="mt-1 flex min-w-0 flex-wrap gap-2">
          <legend className="sr-only">Actions</legend>
          <PlayAll first={first} query={all} />
          <Button
            onClick={(event) => {
              const caution =
                access === 'private' ? 'This is private, so only you can open the link.' : undefined
              void shareLink({ path: `/smart-collections/${id}`, title: name, caution }, event.currentTarget)
            }}
          >
            <Share2 className="size-4" />
            Share
          </Button>
          <Suspense>
            {access === 'public' && <FeedLink page={`/smart-collections/${id}`} />}
            {query !== undefined && <SmartActions collection={{ ...collection, query }} />}
          </Suspense>
        </fieldset>
        {access === 'public' && (
          <p className="text-14 text-quiet">
            To follow this smart collection, add its feed to a feed reader.
          </p>
        )}
      </header>
      <section aria-labelledby="bookmarks" className="mt-10">
        <SectionTitle id="bookmarks" className="mb-4">
          Bookmarks
        </SectionTitle>
        <PagedListing
          query={listing}
          linkTo={(number) => ({
            to: '/smart-collections/$id',
            params: { id: String(id) },
            search: { page: number === 1 ? undefined : number },
          })}
          empty={
            <EmptyState
              title="No bookmarks found"
              text="Bookmarks appear here as soon as the search of this smart collection finds them."
            />
          }
        />
      </section>
    </div>
  )
}
