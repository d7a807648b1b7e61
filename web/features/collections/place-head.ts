import type { ListingItem } from '@reelmark/contract/listing.ts'
import type { QueryClient } from '@tanstack/react-query'
import { namesAdult } from '../listing/queries.ts'
import { pageHead, shortened } from '../shell/page-head.ts'
import { countOf, placePath, type ShownPlace } from './place.ts'
import { placeListing } from './place-listing.ts'

function describe(place: ShownPlace): string {
  const count = countOf(place.bookmarksCount, 'bookmark')
  return place.description.trim() || `${count} saved by ${place.user.username} on Reelmark.`
}

/** The head of a collection's or channel's page. */
export function placeHead({
  place,
  page,
  publicUrl,
  queryClient,
}: {
  place: ShownPlace
  page: number | undefined
  publicUrl: string
  queryClient: QueryClient
}) {
  return pageHead({
    title: shortened(`${place.name} by ${place.user.username}`, 100),
    description: describe(place),
    publicUrl,
    path: `${placePath(place)}${page === undefined ? '' : `?page=${page}`}`,
    image: place.shareImage,
    adult: namesAdult(queryClient, placeListing(place, page)),
    unlisted: place.access === 'private',
  })
}

/** What search engines read of it: schema.org's CollectionPage, with the bookmarks that the page shows. */
export function collectionPageObject(
  place: ShownPlace,
  items: readonly ListingItem[],
  publicUrl: string,
): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name: place.name,
    description: describe(place),
    url: publicUrl + placePath(place),
    author: {
      '@type': 'Person',
      name: place.user.username,
      url: `${publicUrl}/users/${encodeURIComponent(place.user.username)}`,
    },
    ...(place.shareImage === null ? {} : { image: new URL(place.shareImage, publicUrl).href }),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: place.bookmarksCount,
      itemListElement: items.map((item, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: item.title,
        url: `${publicUrl}/bookmarks/${item.id}`,
      })),
    },
  }
}
