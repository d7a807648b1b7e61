/** Facts about a video: which of them a save stores with the bookmark, and which with the video. No I/O. */
import type { VideoInput } from '@reelmark/contract/bookmarks.ts'
import type { Shape } from '@reelmark/contract/protocol/fields.ts'
import { pictureLink, playerLink, uploaderLink } from '../../core/video-links/entered-links.ts'

/** The columns that both bookmarks and videos have: the owner's value, and the one the server determined. */
export const factColumns = [
  'embed_url',
  'thumbnail_source_url',
  'shape',
  'duration',
  'width',
  'height',
  'uploader_name',
  'uploader_url',
] as const

export interface Facts {
  embed_url: string | null
  thumbnail_source_url: string | null
  shape: Exclude<Shape, 'unknown'> | null
  duration: number | null
  width: number | null
  height: number | null
  uploader_name: string | null
  uploader_url: string | null
}

export const noFacts: Facts = {
  embed_url: null,
  thumbnail_source_url: null,
  shape: null,
  duration: null,
  width: null,
  height: null,
  uploader_name: null,
  uploader_url: null,
}

type FactInput = {
  [Field in 'embed_url' | 'thumbnail_url' | 'shape' | 'duration' | 'width' | 'height']?:
    | VideoInput[Field]
    | undefined
}

/**
 * Returns the facts that a user submitted, apart from the uploader, as columns; facts that were not submitted are missing.
 * @param ownHosts host names of this site: a player on our own origin could steal the visitor's token
 * @throws InvalidFields for a player that is not https or is on this site
 */
export function sentFacts(input: FactInput, ownHosts: readonly string[]): Partial<Facts> {
  const { embed_url, thumbnail_url, shape, duration, width, height } = input
  const facts: Partial<Facts> = {}
  if (embed_url !== undefined) facts.embed_url = playerLink(embed_url, ownHosts)
  if (thumbnail_url !== undefined) facts.thumbnail_source_url = pictureLink(thumbnail_url)
  if (shape !== undefined) facts.shape = shape === 'unknown' ? null : shape
  if (duration !== undefined) facts.duration = duration
  if (width !== undefined) facts.width = width
  if (height !== undefined) facts.height = height
  return facts
}

export type Uploader = Pick<Facts, 'uploader_name' | 'uploader_url'>

/**
 * Returns a submitted uploader as columns; nothing if no name was submitted.
 * @param sourceUrl the link of the video: its uploader is linked at its host only
 */
export function sentUploader(
  { uploader_name, uploader_url = null }: { [Field in keyof Uploader]?: Uploader[Field] | undefined },
  sourceUrl: string,
): Uploader | Record<never, never> {
  if (uploader_name === undefined) return {}
  if (uploader_name === null || uploader_name === '') return { uploader_name: null, uploader_url: null }
  return { uploader_name, uploader_url: uploaderLink(uploader_url, sourceUrl) }
}

export interface FactSources {
  sent: Facts
  /** What is stored with the video. */
  stored: Facts & { thumbnail_state: string }
  /** What the link alone determines. */
  recognised: Facts
  /** What the server found when it requested the page for this user; null if that was too long ago or never. */
  extracted: Facts | null
  /** Whether the save is public: a private one stores nothing with the video. */
  isPublic: boolean
}

/**
 * Divides the submitted facts into the bookmark's own ones and those stored with the video. A value that the video has
 * already, or that the server found itself (in a public save), is not the bookmark's own. The video takes over what the
 * server found where it has no value, or only the one that the link determines. It has the latter in any case: it is the
 * same for everyone, and was moved to the bookmarks when the video lost its last public one. It takes over the link of the
 * uploader only if it has the same name, or none yet.
 */
export function divideFacts(sources: FactSources): { own: Facts; learned: Partial<Facts> } {
  const { sent, stored, recognised, extracted, isPublic } = sources
  const own: Record<string, unknown> = { ...noFacts }
  const learned: Record<string, unknown> = {}
  for (const column of factColumns) {
    const known = stored[column] ?? recognised[column]
    if (known !== stored[column]) learned[column] = known
    const value = sent[column]
    if (value === null || value === known) continue
    if (!isPublic || value !== extracted?.[column]) {
      own[column] = value
      continue
    }
    const videoUploader = stored.uploader_name ?? sent.uploader_name
    if (column === 'uploader_url' && videoUploader !== sent.uploader_name) continue
    const hasFailed = column === 'thumbnail_source_url' && stored.thumbnail_state === 'failed'
    if (known === null || known === recognised[column] || hasFailed) learned[column] = value
  }
  return { own: own as unknown as Facts, learned: learned as Partial<Facts> }
}
