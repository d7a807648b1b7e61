/** The values of the form that saves a bookmark, their validation, and the request they make. */
import { type SaveInput, splitTags } from '@reelmark/contract/bookmarks.ts'
import type { Collection } from '@reelmark/contract/collections.ts'
import type { Extraction } from '@reelmark/contract/extraction.ts'
import type { BookmarkAccess, Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import {
  type MetadataText,
  type MetadataTexts,
  mapMetadataTexts,
  metadataTextNames,
} from '@reelmark/contract/video-facts.ts'

export interface SaveValues extends MetadataTexts {
  source_url: string
  thumbnail_url: string
  embed_url: string
  title: string
  orientation: Orientation
  /** As typed, separated by commas. */
  tags: string
  collection: number | null
  channel: number | null
  access: BookmarkAccess
  private_note: string
}

/** The values that the user changed. */
export type EditedValues = Partial<SaveValues>

export type SaveField = keyof SaveValues
export type FieldErrors = Partial<Record<SaveField, string | readonly string[]>>

export const blankValues: SaveValues = {
  source_url: '',
  thumbnail_url: '',
  embed_url: '',
  title: '',
  orientation: 'sfw',
  tags: '',
  collection: null,
  channel: null,
  ...mapMetadataTexts(() => ''),
  access: 'public',
  private_note: '',
}

/** In the order of the form: the first field with an error gets the focus. */
export const saveFields: readonly SaveField[] = [
  'source_url',
  'thumbnail_url',
  'embed_url',
  'title',
  'orientation',
  'tags',
  'collection',
  'channel',
  ...metadataTextNames,
  'private_note',
  'access',
]

/** The other fields contain their labels, because other forms have them, too. */
export const fieldLabels: Record<Exclude<SaveField, MetadataText | 'private_note' | 'access'>, string> = {
  source_url: 'Source URL',
  thumbnail_url: 'Thumbnail URL',
  embed_url: 'Embed URL',
  title: 'Video Title',
  orientation: 'Orientation',
  tags: 'Tags',
  collection: 'Collection',
  channel: 'Channel',
}

/** Returns whether nothing was entered about the video. */
export function isBlank(values: SaveValues): boolean {
  const fields = ['source_url', 'thumbnail_url', 'embed_url', 'title', 'tags', ...metadataTextNames] as const
  return fields.every((field) => values[field].trim() === '')
}

/** Returns the errors of the manual form by field; empty if it can be sent. */
export function manualFormErrors(values: SaveValues, collections: readonly Collection[]): FieldErrors {
  const errors: FieldErrors = tagErrors(values.tags)
  for (const field of ['source_url', 'thumbnail_url', 'embed_url'] as const) {
    const text = values[field].trim()
    if (text === '') errors[field] = `${fieldLabels[field]} is required.`
    else if (!isHttpUrl(text)) errors[field] = 'Enter a full URL starting with https://'
  }
  if (values.title.trim() === '') errors.title = 'Video Title is required.'
  if (values.collection === null) errors.collection = 'Collection is required.'
  else if (isDestinationMissing(values, collections)) errors.channel = 'Channel is required.'
  return errors
}

/** Returns what is missing before an extracted video can be saved, as parts of a sentence: `['a channel']`. */
export function missingFields(values: SaveValues, collections: readonly Collection[]): string[] {
  return [
    ...(values.title.trim() === '' ? ['a title'] : []),
    ...(splitTags(values.tags).length === 0 ? ['at least one tag'] : []),
    ...(isDestinationMissing(values, collections) ? ['a channel'] : []),
  ]
}

/** Returns whether a collection or channel must still be chosen. A collection without channels needs no channel. */
export function isDestinationMissing(values: SaveValues, collections: readonly Collection[]): boolean {
  const chosen = collections.find(({ id }) => id === values.collection)
  const needsChannel = chosen === undefined || chosen.channels.length > 0
  return values.collection === null || (values.channel === null && needsChannel)
}

/** Returns the errors of the field for tags; empty if they can be saved. */
export function tagErrors(line: string): FieldErrors {
  const tags = splitTags(line)
  if (tags.length > limits.tagsMax) return { tags: `Use up to ${limits.tagsMax} tags.` }
  if (tags.some((tag) => [...tag].length > limits.tagMax)) {
    return { tags: `Tags can be up to ${limits.tagMax} characters.` }
  }
  return {}
}

/** Returns the extracted details as form values. A page without rating is reported as SFW, so SFW is not used. */
export function valuesFromExtraction({ video, suggested_tags }: Extraction): EditedValues {
  return {
    source_url: video.source_url,
    thumbnail_url: video.thumbnail_url ?? '',
    embed_url: video.embed_url ?? '',
    title: video.title,
    description: video.description,
    tags: suggested_tags.join(', '),
    ...(video.orientation !== 'sfw' && { orientation: video.orientation }),
  }
}

/** Returns the body of both save requests, including extracted details that have no field of their own. */
export function saveInput(values: SaveValues, extraction: Extraction | null): SaveInput {
  const tags = splitTags(values.tags)
  const extracted = extraction?.video ?? null
  return {
    video: {
      source_url: values.source_url.trim(),
      title: values.title.trim(),
      thumbnail_url: values.thumbnail_url.trim(),
      embed_url: values.embed_url.trim(),
      orientation: values.orientation,
      tags,
      ...(extracted !== null && {
        description: extracted.description,
        shape: extracted.shape,
        duration: extracted.duration,
        width: extracted.width,
        height: extracted.height,
      }),
    },
    bookmark: {
      channel_id: values.channel,
      ...(values.channel === null && { collection_id: values.collection }),
      ...mapMetadataTexts((name) => values[name].trim()),
      access: values.access,
      ...(values.private_note.trim() !== '' && { private_note: values.private_note.trim() }),
      tags,
      // Extraction removed the start time from the link. If the user changed the link, the server reads its start time.
      ...(extraction !== null &&
        extraction.start_seconds !== null &&
        values.source_url === extraction.video.source_url && { start_seconds: extraction.start_seconds }),
    },
  }
}
