import type { Parts } from './link-template.ts'

/** One kind of link of one host. A host with ids of two kinds (videos, clips) has two entries of one name. */
export type VideoHost = {
  /** Stored with the video and shown: lower case, as people call it. */
  name: string
  /** The form of each part of its links: strict, since they are put into URLs. Without anchors and capturing groups. */
  parts: Record<string, RegExp>
  /** All forms of its links, embed forms too (link-template.ts tells the notation). */
  links: readonly string[]
  /** Links that only portrait videos have. */
  portraitLinks?: readonly string[]
  /** `{id}` unless parts are more. Unlike those of other entries of this name. */
  id?: string
  /** Words that look like ids and are pages of the site. */
  reservedIds?: readonly string[]
  /** A link that works, for every form of the same video the same. */
  canonical: string
  /** Absent where the host has no player for other sites, or its link cannot be told from the page's. */
  embed?: string
  /** How the player is told to start later; `{start}` in seconds. */
  embedStart?: string
  /** Where the site has a fixed one. */
  thumbnail?: string
  /** Its oEmbed endpoint, asked with `url` and `format=json`. */
  oembed?: string
  /** For ids that come in two spellings. null: not an id after all. */
  validate?: (parts: Parts) => Parts | null
}
