/** Conversions between the lists of pages and the queries of smart collections. */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { type SmartQuery, smartFilterNames, smartOrders } from '@reelmark/contract/smart-collections.ts'
import { filterLabels, orderLabels } from '../../listing/public-api.ts'

/**
 * Returns the query of a smart collection that shows what a list shows. Returns null for lists that a smart collection
 * cannot show, such as the bookmarks of followed or other users.
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
  const order = smartOrders.find((option) => option === sort)
  const filters = smartFilterNames().flatMap((filter) =>
    listing[filter] === undefined || listing[filter] === 'all' ? [] : [[filter, listing[filter]]],
  )
  return { scope, ...Object.fromEntries(filters), ...(order === undefined ? {} : { sort: order }) }
}

/** Returns whether a query has a search or a filter, so that saving it is useful. */
export function isFiltered({ scope: _, sort: __, ...filters }: SmartQuery): boolean {
  return Object.keys(filters).length > 0
}

const scopeLabels: Record<SmartQuery['scope'], string> = {
  own: 'Your bookmarks',
  liked: 'Videos you like',
  all: 'Explore',
}

/** Returns what a query finds, in short texts: ['Your bookmarks', '“sea”', 'Site: vimeo.com']. */
export function describeQuery(query: SmartQuery): string[] {
  const { tag, collection, ...others } = filterLabels(query)
  const labels: Record<ReturnType<typeof smartFilterNames>[number], string | undefined> = {
    q: query.q && `“${query.q}”`,
    orientation: query.orientation,
    tag,
    collection,
    channel: query.channel === undefined ? undefined : 'In one channel',
    ...others,
  }
  const order = query.sort && (query.sort === 'random' ? 'Random order' : orderLabels[query.sort])
  return [scopeLabels[query.scope], ...Object.values(labels), order].filter((label) => !!label) as string[]
}
