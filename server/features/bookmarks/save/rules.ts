/** What a save makes of what was sent: pure. */
import { isIP } from 'node:net'
import type { SaveInput, VideoInput } from '@reelmark/contract/bookmarks.ts'
import { type Orientation, orientations, type Shape } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { normaliseTag } from '../tags/tag-names.ts'

/** As the columns hold them. What is typed in is shorter, but normalising writes a letter as up to nine. */
const maxLinkLength = 4096

/** The columns of a video that a saver sets. */
export interface NewVideo {
  canonical_url: string
  source_url: string
  host: string
  provider: string | null
  provider_id: string | null
  title: string
  description: string
  tags: string[]
  embed_url: string | null
  thumbnail_source_url: string | null
  orientation: Orientation
  shape: Shape
  duration: number | null
  width: number | null
  height: number | null
}

/** The columns of a bookmark that its owner sets. */
export interface NewBookmark {
  title: string
  description: string
  tags: string[]
  access: 'public' | 'private'
  /** Why nobody else sees it before a moderator has looked at it (screening/cards.ts); null: nothing holds it. */
  held_for?: string | null
}

/**
 * The rows that a save writes.
 * @param ownHosts host names that are us: no player of ours inside a player (a frame of our own origin could take
 *   the visitor's token).
 * @throws InvalidFields for links that are none, and for players that are not https or are us.
 */
export function buildSave(
  { video, bookmark }: SaveInput,
  ownHosts: readonly string[],
): { video: NewVideo; bookmark: NewBookmark } {
  const tags = normaliseTags(video.tags ?? bookmark.tags ?? [])
  const source = canonicalise(video.source_url)
  return {
    video: {
      ...source.identity,
      title: video.title,
      description: video.description ?? '',
      tags,
      embed_url: source.embed_url ?? embedColumns(video.embed_url ?? null, ownHosts),
      thumbnail_source_url:
        // Kept as it was named, but for `HTTPS:`.
        httpUrlOrNull(video.thumbnail_url)?.replace(/^https?:/i, (scheme) => scheme.toLowerCase()) ??
        source.thumbnail_url,
      ...frameColumns(video, source.shape),
      duration: video.duration ?? null,
      width: video.width ?? null,
      height: video.height ?? null,
    },
    bookmark: {
      title: bookmark.title || video.title,
      description: bookmark.description ?? video.description ?? '',
      tags: bookmark.tags === undefined ? tags : normaliseTags(bookmark.tags),
      access: bookmark.access ?? 'public',
    },
  }
}

/**
 * What makes two links one video: the canonical link of a known host, else the normalised link, whether http or https.
 * @throws InvalidFields where it is no link to the web.
 */
export function canonicalise(link: string) {
  const known = recogniseVideo(link)
  const source_url = known?.canonical_url ?? normaliseUrl(link)
  const refuse = (why: string) => new InvalidFields({ video: { source_url: [why] } })
  if (source_url === null) throw refuse('Enter a valid URL.')
  const canonical_url = source_url.replace(/^http:/, 'https:')
  if (canonical_url.length > maxLinkLength) throw refuse('This link is too long.')
  return {
    identity: {
      canonical_url,
      source_url,
      host: new URL(source_url).hostname.replace(/^www\./, ''),
      provider: known?.provider ?? null,
      provider_id: known?.id ?? null,
    },
    embed_url: known?.embed_url ?? null,
    thumbnail_url: known?.thumbnail_url ?? null,
    shape: known?.shape ?? null,
  }
}

/** What a video is found under, canonical: its own link, and its player's, whatever page that is put into. */
export function canonicalLinks({
  canonical_url,
  embed_url,
}: Pick<NewVideo, 'canonical_url' | 'embed_url'>): string[] {
  return embed_url === null
    ? [canonical_url]
    : [canonical_url, canonicalise(embed_url).identity.canonical_url]
}

/** Lower case, trimmed, inner white space single, each once, in their order; at most 30. */
export function normaliseTags(tags: readonly string[]): string[] {
  const normalised = tags.map(normaliseTag)
  return [...new Set(normalised.filter((tag) => tag !== '' && [...tag].length <= limits.tagMax))].slice(
    0,
    limits.tagsMax,
  )
}

function embedColumns(link: string | null, ownHosts: readonly string[]): string | null {
  const given = httpUrlOrNull(link)
  if (given === null) return null
  const known = recogniseVideo(given)
  if (known?.embed_url) return known.embed_url
  const refuse = (why: string) => new InvalidFields({ video: { embed_url: [why] } })
  const normal = normaliseUrl(given)
  if (normal === null) throw refuse('Enter a valid URL.')
  if (normal.length > maxLinkLength) throw refuse('This link is too long.')
  const url = new URL(normal)
  if (url.protocol !== 'https:') throw refuse('The embed URL must start with https://.')
  if (ownHosts.includes(url.hostname)) throw refuse('The embed URL must be of another site.')
  return normal
}

/** Older clients send the shape as orientation (docs/behaviour.md, Videos and bookmarks). */
function frameColumns(video: VideoInput, known: Shape | null): { orientation: Orientation; shape: Shape } {
  const { orientation = 'sfw', shape = 'unknown' } = video
  const isOrientation = (value: string): value is Orientation => orientations.some((each) => each === value)
  if (!isOrientation(orientation)) return { orientation: 'sfw', shape: orientation }
  if (shape !== 'unknown') return { orientation, shape }
  if (known !== null) return { orientation, shape: known }
  return { orientation, shape: classifyShape(video.width ?? null, video.height ?? null) }
}

/** Square within a few per cent. */
export function classifyShape(width: number | null, height: number | null): Shape {
  if (width === null || height === null) return 'unknown'
  const ratio = width / height
  if (ratio > 0.95 && ratio < 1.05) return 'square'
  return ratio > 1 ? 'landscape' : 'portrait'
}

function httpUrlOrNull(link: string | null | undefined): string | null {
  return link === undefined || link === null || link === '' ? null : link
}

/** What a link to ourselves may be called. */
export function ownHosts(publicUrl: string): string[] {
  const host = new URL(publicUrl).hostname
  return isIP(host) === 0 && host.includes('.') ? [host, `www.${host}`, 'localhost'] : [host, 'localhost']
}
