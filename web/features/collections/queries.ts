import {
  type Channel,
  type ChannelPage,
  type Collection,
  type CollectionPage,
  getChannel,
  getCollection,
  listCollections,
} from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import {
  withholdAdultChannelImage,
  withholdAdultCover,
  withholdAdultImages,
} from '../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../shared/api/query-api.ts'

/** A collection for its page. */
export function collectionQuery(id: number) {
  return queryOptions({
    queryKey: ['collections', 'page', id] as const,
    queryFn: async ({ client }): Promise<CollectionPage> =>
      withholdAdultCovers(await queryApi(client)(getCollection, { params: { id } })),
  })
}

/** A channel for its page. */
export function channelQuery(id: number) {
  return queryOptions({
    queryKey: ['channels', 'page', id] as const,
    queryFn: async ({ client }): Promise<ChannelPage> =>
      withholdChannelCovers(await queryApi(client)(getChannel, { params: { id } })),
  })
}

/** All collections are fetched: a user has at most `collectionsMax`. */
const maxPages = limits.collectionsMax / limits.maxPageSize

/** A user's collections with their channels that the viewer may see. */
export function collectionsQuery(username: string) {
  const user = username.toLowerCase()
  return queryOptions({
    queryKey: ['collections', 'of', user] as const,
    queryFn: async ({ client }): Promise<Collection[]> => {
      const all: Collection[] = []
      for (let page = 1; page <= maxPages; page++) {
        const query = { user, page, page_size: limits.maxPageSize }
        const { results, next } = await queryApi(client)(listCollections, { query })
        all.push(...results.map(withholdAdultCovers))
        if (next === null) break
      }
      return all
    },
    // A failure stays visible after hydration, as in the server's HTML.
    retryOnMount: false,
  })
}

function withholdAdultCovers<C extends Collection>(collection: C): C {
  if (!import.meta.env.SSR) return collection
  return withholdAdultCover({
    ...collection,
    cover_images: withholdAdultImages(collection.cover_images),
    channels: collection.channels.map(withholdChannelCovers),
  })
}

function withholdChannelCovers<C extends Channel>(channel: C): C {
  return withholdAdultChannelImage({ ...channel, cover_images: withholdAdultImages(channel.cover_images) })
}
