/** Turns the input of a save into rows. No I/O. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { type Orientation, orientations, type Shape } from '@reelmark/contract/protocol/fields.ts'
import { type MetadataTexts, mapMetadataTexts } from '@reelmark/contract/video-facts.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { classifyShape } from '../../../core/media/shape.ts'
import { canonicalise } from '../../../core/video-links/canonical-url.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { readStartTime } from '../../../core/video-links/start-time.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import { type Facts, noFacts, sentFacts, sentUploader } from '../facts.ts'

/** A video as its link alone identifies it. */
export interface NewVideo {
  identity: {
    canonical_url: string
    source_url: string
    host: string
    provider: string | null
    provider_id: string | null
  }
  /** What the link alone determines. */
  recognised: Facts
  /** What the user submitted. */
  sent: Facts
}

/** The columns of a bookmark that its owner sets, apart from facts. */
export interface NewBookmark extends MetadataTexts {
  title: string
  tags: string[]
  orientation: Orientation
  access: 'public' | 'private'
  /** Null: the video starts at the beginning. */
  start_seconds: number | null
  private_note?: string
  /** Why a content rule holds it until a moderator decides (content-rules/screen-content.ts); null if none does. */
  hold_reason?: string | null
}

/**
 * Returns the rows that a save inserts.
 * @param ownHosts host names of this site, which cannot be a player
 * @param defaultAccess the access of a bookmark whose input names none
 * @throws InvalidFields for invalid links, for players that are not https or are on this site, and for a link to an adult
 *   site with the orientation `sfw`.
 */
export function buildSave(
  { video, bookmark }: SaveInput,
  ownHosts: readonly string[],
  defaultAccess: NewBookmark['access'],
): { video: NewVideo; bookmark: NewBookmark } {
  const { identity, ...recognised } = atVideo(() => canonicalise(video.source_url))
  const { orientation, shape } = readOrientation(video)
  const sent = atVideo(() => sentFacts({ ...video, shape }, ownHosts))
  Object.assign(sent, sentUploader(video, identity.source_url))
  // The player of a known host is rebuilt from the link, whatever was submitted.
  if (recognised.embed_url !== null) sent.embed_url = null
  const { width = null, height = null } = video
  if (recognised.shape === null && width !== null && height !== null) {
    sent.shape ??= classifyShape({ width, height })
  }
  if (orientation === 'sfw' && [identity.source_url, sent.embed_url ?? null].some(isAdultLink)) {
    throw new InvalidFields({ video: { orientation: [adultOrientationText] } })
  }
  return {
    video: { identity, recognised: { ...noFacts, ...recognised }, sent: { ...noFacts, ...sent } },
    bookmark: {
      title: bookmark.title || video.title,
      ...mapMetadataTexts((name) => bookmark[name] ?? ''),
      description: bookmark.description ?? video.description ?? '',
      tags: normaliseTags(bookmark.tags ?? video.tags ?? []),
      orientation,
      access: bookmark.access ?? defaultAccess,
      start_seconds: chooseStart(video, bookmark),
      private_note: bookmark.private_note ?? '',
    },
  }
}

export const adultOrientationText = 'This site is for adults. Choose an orientation other than SFW.'

/** Returns the start time that the user chose, else the one that the link of the page or of the player names. */
function chooseStart(video: SaveInput['video'], { start_seconds }: SaveInput['bookmark']): number | null {
  if (start_seconds !== undefined) return start_seconds || null
  return readStartTime(video.source_url) ?? readStartTime(video.embed_url ?? '')
}

/** Runs `read` and reports its errors at the same field of `video`. */
function atVideo<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidFields) throw new InvalidFields({ video: error.body })
    throw error
  }
}

/** Returns orientation and shape. Older clients send the shape as orientation. */
function readOrientation({
  orientation = 'sfw',
  shape = 'unknown',
}: Pick<SaveInput['video'], 'orientation' | 'shape'>): { orientation: Orientation; shape: Shape } {
  const isOrientation = (value: string): value is Orientation => orientations.some((known) => known === value)
  return isOrientation(orientation) ? { orientation, shape } : { orientation: 'sfw', shape: orientation }
}
