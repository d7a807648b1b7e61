import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { containerFromChannel } from '../features/collections/container.ts'
import { ContainerNotFound } from '../features/collections/container-not-found.tsx'
import { ContainerPage } from '../features/collections/container-page.tsx'
import { loadContainer, readContainerSearch } from '../features/collections/container-route.ts'
import { channelQuery } from '../features/collections/queries.ts'
import { useRefreshTitle } from '../features/shell/use-refresh-title.ts'

export const Route = createFileRoute('/channels/$id')({
  validateSearch: readContainerSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) =>
    loadContainer(queryClient, { kind: 'channel', id: params.id, search: deps }, (id) =>
      queryClient.ensureQueryData(channelQuery(id)),
    ),
  head: async ({ loaderData, match }) => {
    if (loaderData === undefined) return { meta: [{ title: 'Channel not found · Reelmark' }] }
    const { channelHead } = await import('../features/collections/container-head.ts')
    return channelHead(loaderData, match)
  },
  component: ChannelRoute,
  notFoundComponent: () => <ContainerNotFound kind="channel" />,
})

function ChannelRoute() {
  const loaded = Route.useLoaderData()
  // Shows the loader's data until the signed-in viewer's own data is fetched.
  const { data: channel = loaded } = useQuery(channelQuery(loaded.id))
  useRefreshTitle(Route.id, channel.id === loaded.id && channel.name !== loaded.name)
  return (
    <ContainerPage key={channel.id} container={containerFromChannel(channel)} search={Route.useSearch()} />
  )
}
