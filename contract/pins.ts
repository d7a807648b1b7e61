/** The bookmarks and collections that users pin to the top of their profiles. */
import * as t from 'typebox'
import { CoverImage } from './collections.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const pinnedItem = { kind: t.Enum(['bookmark', 'collection']), id: Id }

/** A pinned bookmark or collection as a profile shows it. */
export const Pin = t.Object({
  ...pinnedItem,
  /** The title of a bookmark, or the name of a collection. */
  title: t.String(),
  /** One picture of a bookmark, with its orientation also without a picture; up to four of a collection's cover. */
  images: t.Array(CoverImage),
  /** False: only the owner sees it, because it or its collection is private, or because it is under review. */
  is_public: t.Boolean(),
  /** Whether the viewer watched the video of a bookmark; false for a collection. Present for signed-in viewers only. */
  is_watched: t.Optional(t.Boolean()),
})
export type Pin = t.Static<typeof Pin>

export const setPins = endpoint({
  method: 'POST',
  path: '/pins/',
  summary: 'Replace what is pinned to your profile: bookmarks and collections of yours, in their order',
  group: 'profiles',
  auth: 'user',
  body: t.Object(
    {
      pins: t.Array(t.Object(pinnedItem, { additionalProperties: false }), { maxItems: limits.pinsMax }),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({ pins: t.Array(Pin) }),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'rate-limited'],
})
