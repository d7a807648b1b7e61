import type { ChannelPage, CollectionPage } from '@reelmark/contract/collections.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import type { SmartCollection } from '@reelmark/contract/smart-collections.ts'
import type { QueryClient } from '@tanstack/react-query'
import { withFeedLinks, withOembedLinks } from '../../shared/pages/machine-head.ts'
import { pageHead, truncate } from '../../shared/pages/page-head.ts'
import { pluralise } from '../../ui/pluralise.ts'
import { hasAdultItems, isNarrowed, type ListSearch } from '../listing/public-api.ts'
import { type Container, containerFromChannel, containerFromCollection, containerPath } from './container.ts'
import { containerListing, smartListing } from './container-listing.ts'

function describeContainer(container: Container): string {
  const count = pluralise(container.bookmarksCount, 'bookmark')
  return container.description.trim() || `${count} saved by ${container.user.username} on Reelmark.`
}

/** What the page of a container was matched with. */
interface Match {
  search: ListSearch
  context: { publicUrl: string; queryClient: QueryClient }
}

/** Returns the head of a collection's page. */
export function collectionHead(collection: CollectionPage, match: Match) {
  return containerHead(containerFromCollection(collection), match)
}

/** Returns the head of a channel's page. */
export function channelHead(channel: ChannelPage, match: Match) {
  return containerHead(containerFromChannel(channel), match)
}

/** Returns the head of a collection's or channel's page. */
export function containerHead(container: Container, { search, context: { publicUrl, queryClient } }: Match) {
  const head = pageHead({
    title: truncate(`${container.name} by ${container.user.username}`, 100),
    description: describeContainer(container),
    publicUrl,
    path: `${containerPath(container)}${search.page === undefined ? '' : `?page=${search.page}`}`,
    image: container.shareImage,
    adult: hasAdultItems(queryClient, containerListing(container, search)),
    unlisted: container.access === 'private' || isNarrowed(search),
  })
  return import.meta.env.SSR ? withMachineLinks(head, container, publicUrl) : head
}

/** Returns the head of a smart collection's page. */
export function smartHead(
  { id, name, description, access, user }: SmartCollection,
  { search: { page }, context: { publicUrl, queryClient } }: Match,
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

/** Adds links to the feeds of a public collection or channel, and to the oEmbed description of a collection. */
function withMachineLinks(head: ReturnType<typeof pageHead>, container: Container, publicUrl: string) {
  if (container.access === 'private') return head
  const path = containerPath(container)
  const linked = withFeedLinks(head, path)
  return container.kind === 'channel' ? linked : withOembedLinks(linked, publicUrl, path)
}

/** Returns the structured data for search engines: schema.org's CollectionPage with the bookmarks on the page. */
export function collectionPageObject(
  container: Container,
  items: readonly ListingItem[],
  publicUrl: string,
): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name: container.name,
    description: describeContainer(container),
    url: publicUrl + containerPath(container),
    author: {
      '@type': 'Person',
      name: container.user.username,
      url: `${publicUrl}/users/${encodeURIComponent(container.user.username)}`,
    },
    ...(container.shareImage === null ? {} : { image: new URL(container.shareImage, publicUrl).href }),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: container.bookmarksCount,
      itemListElement: items.map((item, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: item.title,
        url: `${publicUrl}/bookmarks/${item.id}`,
      })),
    },
  }
}
