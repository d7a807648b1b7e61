import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { smartListing } from '../features/collections/container-listing.ts'
import { ContainerNotFound } from '../features/collections/container-not-found.tsx'
import { readContainerSearch } from '../features/collections/container-route.ts'
import { SmartCollectionPage } from '../features/collections/smart/smart-collection-page.tsx'
import { smartCollectionQuery } from '../features/collections/smart/smart-collection-query.ts'
import { listingQuery } from '../features/listing/queries.ts'

export const Route = createFileRoute('/smart-collections/$id')({
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
  head: async ({ loaderData, match }) => {
    if (loaderData === undefined) return { meta: [{ title: 'Collection not found · Reelmark' }] }
    const { smartHead } = await import('../features/collections/container-head.ts')
    return smartHead(loaderData, match)
  },
  component: SmartCollectionRoute,
  notFoundComponent: () => <ContainerNotFound kind="collection" />,
})

function SmartCollectionRoute() {
  const loaded = Route.useLoaderData()
  // Shows the loader's data until the signed-in viewer's own data is fetched.
  const { data: collection = loaded } = useQuery(smartCollectionQuery(loaded.id))
  return <SmartCollectionPage key={collection.id} collection={collection} page={Route.useSearch().page} />
}
