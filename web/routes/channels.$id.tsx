import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { channelPlace } from '../features/collections/place.ts'
import { placeHead } from '../features/collections/place-head.ts'
import { PlaceMissing } from '../features/collections/place-missing.tsx'
import { PlacePage } from '../features/collections/place-page.tsx'
import { loadPlace, readPlaceSearch } from '../features/collections/place-route.ts'
import { channelQuery } from '../features/collections/queries.ts'
import { useRenamed } from '../features/shell/use-renamed.ts'

export const Route = createFileRoute('/channels/$id')({
  validateSearch: readPlaceSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps: { page } }) =>
    loadPlace(queryClient, { kind: 'channel', id: params.id, page }, (id) =>
      queryClient.ensureQueryData(channelQuery(id)),
    ),
  head: ({ loaderData, match }) =>
    loaderData === undefined
      ? { meta: [{ title: 'No such channel · Reelmark' }] }
      : placeHead({
          place: channelPlace(loaderData),
          page: match.search.page,
          publicUrl: match.context.publicUrl,
          queryClient: match.context.queryClient,
        }),
  component: ChannelRoute,
  notFoundComponent: () => <PlaceMissing kind="channel" />,
})

function ChannelRoute() {
  const loaded = Route.useLoaderData()
  // What the loader had, until someone signed in has asked again.
  const { data: channel = loaded } = useQuery(channelQuery(loaded.id))
  useRenamed(Route.id, channel.id === loaded.id && channel.name !== loaded.name)
  return <PlacePage key={channel.id} place={channelPlace(channel)} page={Route.useSearch().page} />
}
