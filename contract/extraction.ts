import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { HttpUrl, Id, nullable, Shape } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { factFields, uploaderFields } from './video-facts.ts'

export const ExtractedVideo = t.Object({
  source_url: t.String(),
  title: t.String(),
  description: t.String(),
  tags: t.Array(t.String()),
  ...factFields(t.String()),
  ...uploaderFields(t.String()),
  provider: nullable(t.String()),
})
export type ExtractedVideo = t.Static<typeof ExtractedVideo>

export const Extraction = t.Object({
  video: ExtractedVideo,
  suggested_tags: t.Array(t.String()),
  /** The name of the uploader. */
  channel_name: nullable(t.String()),
  /**
   * Where most of the viewer's newest bookmarks of this uploader are; null: the uploader is unknown or the viewer has none.
   */
  uploader_destination: nullable(
    t.Object({
      collection: t.Object({ id: Id, name: t.String() }),
      channel: nullable(t.Object({ id: Id, name: t.String() })),
    }),
  ),
  /** As of a saved video (contract/bookmarks.ts): only the player of a `known` host may run with its own origin. */
  player: nullable(t.Enum(['known', 'other'])),
  /** The start time that the link names; null: none. */
  start_seconds: nullable(t.Integer()),
  /** True: something a bookmark should have was not found; `warnings` name it. */
  partial: t.Boolean(),
  warnings: t.Array(t.String()),
  /** The addresses of pictures that the page offers, the chosen thumbnail first. */
  pictures: t.Array(t.String()),
})
export type Extraction = t.Static<typeof Extraction>

export const extractMetadata = endpoint({
  method: 'POST',
  path: '/bookmarks/extract-metadata/',
  summary: 'Extract title, thumbnail and player from a link',
  invalidatesCache: false,
  allowedWhileSuspended: true,
  group: 'extraction',
  auth: 'user',
  body: t.Object(
    { url: t.String({ minLength: 1, maxLength: limits.urlMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Extraction,
  errors: ['invalid', 'unauthenticated', 'extraction-failed', 'rate-limited'],
})

export const previewThumbnail = endpoint({
  method: 'POST',
  path: '/bookmarks/preview-thumbnail/',
  summary: 'Fetch a picture to preview it as a thumbnail; nothing is stored',
  invalidatesCache: false,
  allowedWhileSuspended: true,
  group: 'extraction',
  auth: 'user',
  body: t.Object({ url: HttpUrl }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({
    /** The re-encoded picture as a `data:` URL of a WebP of at most 480 × 854 pixels. */
    picture: t.String(),
    /** Of the original picture. */
    width: t.Integer(),
    height: t.Integer(),
    shape: Shape,
  }),
  errors: ['invalid', 'unauthenticated', 'rate-limited'],
})
