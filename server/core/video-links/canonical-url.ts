/** Determines which links lead to the same video. */
import { storedUrlMax } from '@reelmark/contract/protocol/limits.ts'
import { InvalidFields } from '../http/errors.ts'
import { normaliseUrl } from './normalise-url.ts'
import { recogniseVideo } from './recognise-video.ts'

/**
 * Returns what identifies a video: the canonical link of a known host, else the normalised link, the same for http and
 * https. Two links with the same `canonical_url` are one video.
 * @throws InvalidFields at `source_url` if it is not a link to the web.
 */
export function canonicalise(link: string) {
  const known = recogniseVideo(link)
  const source_url = known?.canonical_url ?? normaliseUrl(link)
  const refuse = (text: string) => new InvalidFields({ source_url: [text] })
  if (source_url === null) throw refuse('Enter a valid URL.')
  const canonical_url = source_url.replace(/^http:/, 'https:')
  if (canonical_url.length > storedUrlMax) throw refuse('This link is too long.')
  return {
    identity: {
      canonical_url,
      source_url,
      host: new URL(source_url).hostname.replace(/^www\./, ''),
      provider: known?.provider ?? null,
      provider_id: known?.id ?? null,
    },
    embed_url: known?.embed_url ?? null,
    thumbnail_source_url: known?.thumbnail_url ?? null,
    shape: known?.shape ?? null,
  }
}

/** Returns the link that identifies a video, or null for links that cannot be saved. */
export function canonicalUrl(link: string): string | null {
  try {
    return canonicalise(link).identity.canonical_url
  } catch (error) {
    if (error instanceof InvalidFields) return null
    throw error
  }
}

/** Returns the canonical links by which a video can be refused: its own, and those of its players on any page. */
export function canonicalLinks(ownUrl: string, embedUrls: readonly (string | null)[]): string[] {
  const players = embedUrls.filter((link) => link !== null)
  return [...new Set([ownUrl, ...players.map((link) => canonicalise(link).identity.canonical_url)])]
}
