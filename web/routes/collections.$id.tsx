import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { collectionPlace } from '../features/collections/place.ts'
import { placeHead } from '../features/collections/place-head.ts'
import { PlaceMissing } from '../features/collections/place-missing.tsx'
import { PlacePage } from '../features/collections/place-page.tsx'
import { loadPlace, readPlaceSearch } from '../features/collections/place-route.ts'
import { collectionQuery } from '../features/collections/queries.ts'
import { useRenamed } from '../features/shell/use-renamed.ts'

export const Route = createFileRoute('/collections/$id')({
  validateSearch: readPlaceSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps: { page } }) =>
    loadPlace(queryClient, { kind: 'collection', id: params.id, page }, (id) =>
      queryClient.ensureQueryData(collectionQuery(id)),
    ),
  head: ({ loaderData, match }) =>
    loaderData === undefined
      ? { meta: [{ title: 'No such collection · Reelmark' }] }
      : placeHead({
          place: collectionPlace(loaderData),
          page: match.search.page,
          publicUrl: match.context.publicUrl,
          queryClient: match.context.queryClient,
        }),
  component: CollectionRoute,
  notFoundComponent: () => <PlaceMissing kind="collection" />,
})

function CollectionRoute() {
  const loaded = Route.useLoaderData()
  // What the loader had, until someone signed in has asked again.
  const { data: collection = loaded } = useQuery(collectionQuery(loaded.id))
  useRenamed(Route.id, collection.id === loaded.id && collection.name !== loaded.name)
  return <PlacePage key={collection.id} place={collectionPlace(collection)} page={Route.useSearch().page} />
}
