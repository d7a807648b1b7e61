import type { Parts } from './link-template.ts'

/** One kind of link of one host. A host with two kinds of ids (videos, clips) has two entries with the same name. */
export type VideoHost = {
  /** Name in lower case, stored with the video and displayed. */
  name: string
  /**
   * A strict pattern per part, because parts are put into URLs. Without anchors or capturing groups. `user`, `channel` and `sub`
   * are names whose case the site ignores.
   */
  parts: Record<string, RegExp>
  /** All forms of its links including players. See link-template.ts for the notation. */
  links: readonly string[]
  /** Forms of links used by portrait videos only. */
  portraitLinks?: readonly string[]
  /** Template of the id; `{id}` by default. Must differ from other entries of the same name. */
  id?: string
  /** Words in the form of an id that are other pages of the site. */
  reservedIds?: readonly string[]
  /** Canonical link, the same for every form of a link to the video. */
  canonical: string
  /**
   * Player link. Absent if the host has no player for other sites, or the id does not determine it. What is known of the
   * player is in contract/player-hosts.ts.
   */
  embed?: string
  /** Thumbnail link, if the site has a fixed one per video. */
  thumbnail?: string
  /** The site's oEmbed endpoint, requested with `url` and `format=json`. */
  oembed?: string
  /** Set if its links are of audio, or of pictures as well as videos. Imports treat them as other links. */
  otherMedia?: 'audio' | 'pictures'
  /** Converts ids that have two notations; returns null if the parts are not a valid id. */
  validate?: (parts: Parts) => Parts | null
}
