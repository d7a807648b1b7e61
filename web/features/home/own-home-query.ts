import { getHome, type Home } from '@reelmark/contract/home.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/api.ts'

type Shelf = keyof Home
const shelves = ['continue_watching', 'following', 'watch_later', 'recently_saved'] as const

/** An item of a shelf; a started video also has its `position_seconds`. */
export type ShelfItem = ListingItem & { shelf: Shelf; position_seconds?: number }

/**
 * The shelves of the viewer's home page, as one list. It is cached among the listings, under a key with the parameters of the
 * lists that it depends on, so that likes, marks, saves and follows also change these cards. Browser only.
 */
export function ownHomeQuery(username: string, orientation: OrientationFilter) {
  return queryOptions({
    queryKey: ['videos', { home: true, user: username, sort: 'following', orientation }] as const,
    queryFn: async ({ signal }) => {
      const home = await api(getHome, { query: { orientation } }, { signal })
      const results = shelves.flatMap((shelf): ShelfItem[] => home[shelf].map((item) => ({ ...item, shelf })))
      return { count: results.length, next: null, previous: null, results }
    },
  })
}
