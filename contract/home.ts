/** What the home page shows to signed-in users. */
import * as t from 'typebox'
import { ListingItem } from './listing.ts'
import { endpoint } from './protocol/endpoint.ts'
import { OrientationFilter } from './protocol/fields.ts'

/** A video that the viewer started. */
export const StartedItem = t.Object({
  ...ListingItem.properties,
  /** Where the viewer stopped, in seconds. */
  position_seconds: t.Integer(),
})
export type StartedItem = t.Static<typeof StartedItem>

/** Up to `limits.shelfMax` items each, latest first. A video is shown as the viewer's own bookmark, otherwise as its lead bookmark. */
export const Home = t.Object({
  continue_watching: t.Array(StartedItem),
  /** New bookmarks of followed users, collections, channels and tags. */
  following: t.Array(ListingItem),
  watch_later: t.Array(ListingItem),
  /** The viewer's newest bookmarks, without those in Watch Later. */
  recently_saved: t.Array(ListingItem),
})
export type Home = t.Static<typeof Home>

export const getHome = endpoint({
  method: 'GET',
  path: '/home/',
  summary:
    'Get what you continue to watch, what is new in your feed, your Watch Later and your newest bookmarks',
  group: 'listing',
  auth: 'user',
  query: t.Object({ orientation: t.Optional(OrientationFilter) }, { additionalProperties: false }),
  status: 200,
  reply: Home,
  errors: ['invalid'],
})
