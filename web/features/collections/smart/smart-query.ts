/** Conversions between the lists of pages and the queries of smart collections, and the text that describes a query. */
import type { Collection } from '@reelmark/contract/collections.ts'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { type SmartQuery, smartFilterNames, smartOrders } from '@reelmark/contract/smart-collections.ts'
import { useQuery } from '@tanstack/react-query'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { filterLabels, orderLabels } from '../../listing/public-api.ts'
import { collectionsQuery } from '../queries.ts'

/**
 * Returns the query of a smart collection that shows what a list shows; the manual order becomes newest first. Returns null for
 * lists that a smart collection cannot show, such as the bookmarks of followed or other users.
 * @param username the viewer
 */
export function smartQueryOf(listing: ListingQuery, username: string): SmartQuery | null {
  const name = username.toLowerCase()
  const { user, liked_by, following, sort, smart_collection } = listing
  const isOther = [user, liked_by].some((owner) => owner !== undefined && owner.toLowerCase() !== name)
  const scope = user !== undefined ? 'own' : liked_by !== undefined ? 'liked' : 'all'
  const isInContainer = listing.collection !== undefined || listing.channel !== undefined
  if (isOther || following === true || sort === 'following' || smart_collection !== undefined) return null
  if (isInContainer && scope !== 'own') return null
  const order = sort === 'manual' ? 'newest' : smartOrders.find((option) => option === sort)
  const filters = smartFilterNames().flatMap((filter) =>
    listing[filter] === undefined || listing[filter] === 'all' ? [] : [[filter, listing[filter]]],
  )
  return {
    scope,
    ...Object.fromEntries(filters),
    ...(order !== undefined && { sort: order }),
    ...(listing.watch_later === false && { watch_later: false }),
  }
}

/** Returns whether a query has a search, a filter or an order, so that saving it is useful. */
export function isChosen({ scope: _, watch_later: __, ...choices }: SmartQuery): boolean {
  return Object.keys(choices).length > 0
}

const scopeLabels: Record<SmartQuery['scope'], string> = {
  own: 'Your bookmarks',
  liked: 'Videos you like',
  all: 'Explore',
}

/**
 * Returns what a query finds, in short texts: ['Your bookmarks', '“sea”', 'In Holidays'].
 * @param collections those of the query's owner, which name its collection and channel; empty while they are not known
 */
function describeQuery(query: SmartQuery, collections: readonly Collection[] = []): string[] {
  const { tag, collection, ...others } = filterLabels(query)
  const collectionName = collections.find(({ id }) => id === query.collection)?.name
  const channelName = collections
    .flatMap(({ channels }) => channels)
    .find(({ id }) => id === query.channel)?.name
  const labels: Record<ReturnType<typeof smartFilterNames>[number], string | undefined> = {
    q: query.q && `“${query.q}”`,
    orientation: query.orientation && orientationLabels[query.orientation],
    tag,
    // Deleted ones have no name.
    collection: collectionName === undefined ? collection : `In ${collectionName}`,
    channel: query.channel === undefined ? undefined : `In ${channelName ?? 'one channel'}`,
    ...others,
  }
  const order = query.sort && (query.sort === 'random' ? 'Random order' : orderLabels[query.sort])
  return [scopeLabels[query.scope], ...Object.values(labels), order].filter((label) => !!label) as string[]
}

/** What a query of the viewer finds, in one line, with the name of its collection or channel once it is known. */
export function QueryDescription({ query, username }: { query: SmartQuery; username: string }) {
  const { data } = useQuery({
    ...collectionsQuery(username),
    enabled: (query.collection ?? query.channel) !== undefined,
  })
  return describeQuery(query, data).join(' · ')
}
