import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { SmartCollection } from '@reelmark/contract/smart-collections.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { smartListing } from '../features/collections/container-listing.ts'
import { ContainerNotFound } from '../features/collections/container-not-found.tsx'
import { readContainerSearch } from '../features/collections/container-route.ts'
import { SmartCollectionPage } from '../features/collections/smart/smart-collection-page.tsx'
import { smartCollectionQuery } from '../features/collections/smart/smart-collection-query.ts'
import { hasAdultItems, listingQuery } from '../features/listing/queries.ts'
import { withFeedLinks } from '../shared/pages/machine-head.ts'
import { pageHead, truncate } from '../shared/pages/page-head.ts'

export const Route = createFileRoute('/smart-collections/$id')({
  codeSplitGroupings: [['loader', 'component', 'pendingComponent'], ['notFoundComponent']],
  validateSearch: readContainerSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, params, deps }) => {
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
    if (id === 0) throw notFound()
    const listing = queryClient.prefetchQuery(listingQuery(smartListing(id, deps.page)))
    try {
      const collection = await queryClient.ensureQueryData(smartCollectionQuery(id))
      if (import.meta.env.SSR) await listing
      return collection
    } catch (error) {
      if (isCallError(error) && error.status === 404) throw notFound()
      throw error
    }
  },
  head: ({ loaderData, match }) =>
    loaderData === undefined
      ? { meta: [{ title: 'Collection not found · Reelmark' }] }
      : smartHead(loaderData, match.search.page, match.context),
  component: SmartCollectionRoute,
  notFoundComponent: () => <ContainerNotFound kind="collection" />,
})

function smartHead(
  { id, name, description, access, user }: SmartCollection,
  page: number | undefined,
  { publicUrl, queryClient }: { publicUrl: string; queryClient: QueryClient },
) {
  const path = `/smart-collections/${id}`
  const head = pageHead({
    title: truncate(`${name} by ${user.username}`, 100),
    description: description.trim() || `A smart collection of ${user.username} on Reelmark.`,
    publicUrl,
    path: `${path}${page === undefined ? '' : `?page=${page}`}`,
    adult: hasAdultItems(queryClient, smartListing(id, page)),
    unlisted: access === 'private',
  })
  return import.meta.env.SSR && access === 'public' ? withFeedLinks(head, path) : head
}

function SmartCollectionRoute() {
  const loaded = Route.useLoaderData()
  // Shows the loader's data until the signed-in viewer's own data is fetched.
  const { data: collection = loaded } = useQuery(smartCollectionQuery(loaded.id))
  return <SmartCollectionPage key={collection.id} collection={collection} page={Route.useSearch().page} />
}
