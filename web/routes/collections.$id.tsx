import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { containerFromCollection } from '../features/collections/container.ts'
import { ContainerNotFound } from '../features/collections/container-not-found.tsx'
import { ContainerPage } from '../features/collections/container-page.tsx'
import { loadContainer, readContainerSearch } from '../features/collections/container-route.ts'
import { collectionQuery } from '../features/collections/queries.ts'
import { useRefreshTitle } from '../features/shell/use-refresh-title.ts'

export const Route = createFileRoute('/collections/$id')({
  validateSearch: readContainerSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) =>
    loadContainer(queryClient, { kind: 'collection', id: params.id, search: deps }, (id) =>
      queryClient.ensureQueryData(collectionQuery(id)),
    ),
  head: async ({ loaderData, match }) => {
    if (loaderData === undefined) return { meta: [{ title: 'Collection not found · Reelmark' }] }
    const { collectionHead } = await import('../features/collections/container-head.ts')
    return collectionHead(loaderData, match)
  },
  component: CollectionRoute,
  notFoundComponent: () => <ContainerNotFound kind="collection" />,
})

function CollectionRoute() {
  const loaded = Route.useLoaderData()
  // Shows the loader's data until the signed-in viewer's own data is fetched.
  const { data: collection = loaded } = useQuery(collectionQuery(loaded.id))
  useRefreshTitle(Route.id, collection.id === loaded.id && collection.name !== loaded.name)
  return (
    <ContainerPage
      key={collection.id}
      container={containerFromCollection(collection)}
      search={Route.useSearch()}
    />
  )
}
