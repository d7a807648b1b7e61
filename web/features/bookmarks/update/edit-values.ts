/** The values of the form that edits a bookmark, their validation, and the change they make. */
import type { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, splitTags } from '@reelmark/contract/bookmarks.ts'
import type { ExtractedVideo } from '@reelmark/contract/extraction.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { BookmarkAccess, Orientation, Shape } from '@reelmark/contract/protocol/fields.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { type MetadataTexts, mapMetadataTexts } from '@reelmark/contract/video-facts.ts'
import { clockDuration } from '../../../ui/duration.ts'
import type { Destination } from '../destination/destination.ts'
import {
  type PictureChoice,
  type PictureSource,
  pictureErrors,
  pictureLinkInput,
  samePicture,
} from '../thumbnail/picture-choice.ts'
import { parseDuration } from './duration-text.ts'

export interface EditValues extends MetadataTexts {
  title: string
  private_note: string
  /** As typed, separated by commas. */
  tags: string
  embed_url: string
  /** As a clock: `12:34`. */
  duration: string
  /** As a clock; blank: the beginning. */
  start_seconds: string
  shape: Shape
  orientation: Orientation
  access: BookmarkAccess
  picture: PictureChoice
  /** Another uploader than that of the bookmark; null: the same. */
  uploader: Pick<ExtractedVideo, 'uploader_name' | 'uploader_url'> | null
}

export function editValuesOf(bookmark: Bookmark): EditValues {
  const { video } = bookmark
  return {
    title: bookmark.title,
    ...mapMetadataTexts((name) => bookmark[name]),
    private_note: bookmark.private_note ?? '',
    tags: bookmark.tags.map((tag) => tag.name).join(', '),
    embed_url: video.embed_url ?? '',
    duration: video.duration === null ? '' : clockDuration(video.duration),
    start_seconds: bookmark.start_seconds === null ? '' : clockDuration(bookmark.start_seconds),
    shape: video.shape,
    orientation: video.orientation,
    access: bookmark.access,
    picture: samePicture,
    uploader: null,
  }
}

/** Returns the sources of another picture that make sense for a bookmark. */
export function pictureSources({ owner_facts }: Bookmark): PictureSource[] {
  const hasOwn = owner_facts?.has_uploaded_thumbnail === true || (owner_facts?.thumbnail_url ?? null) !== null
  return ['same', 'offered', 'link', 'file', ...(hasOwn ? (['site'] as const) : [])]
}

/** Returns whether a bookmark has a start time, or its player can start at one. */
export function hasStart({ start_seconds, video }: Bookmark): boolean {
  return start_seconds !== null || video.start_parameter !== null
}

/** Returns what the browser can find wrong, by field. */
export function editErrors(values: EditValues, before: EditValues, destination: Destination) {
  const embed = values.embed_url.trim()
  return {
    ...(values.title.trim() === '' && { title: 'Title is required.' }),
    ...(destination.collection === null && { collection: 'Please select a collection.' }),
    ...pictureErrors(values.picture),
    ...(embed !== '' &&
      embed !== before.embed_url &&
      !isHttpUrl(embed) && { embed_url: 'Enter a full URL starting with https://' }),
    ...(parseDuration(values.duration) === undefined && {
      duration: 'Enter a duration such as 12:34 or 1:02:03.',
    }),
    ...(parseDuration(values.start_seconds) === undefined && {
      start_seconds: 'Enter a time such as 1:23 or 1:02:30.',
    }),
  }
}

/**
 * Returns the body of the request. Facts and orientation are sent only if they were changed: the current ones may be those
 * that the server determined, or a moderator's ruling, and not the owner's.
 */
export function editInput(values: EditValues, before: EditValues): Input<typeof updateBookmark>['body'] {
  const duration = parseDuration(values.duration)
  const start = parseDuration(values.start_seconds)
  return {
    title: values.title.trim(),
    ...mapMetadataTexts((name) => values[name].trim()),
    tags: splitTags(values.tags),
    access: values.access,
    ...(values.private_note !== before.private_note && { private_note: values.private_note.trim() }),
    ...(values.orientation !== before.orientation && { orientation: values.orientation }),
    ...(values.embed_url.trim() !== before.embed_url && { embed_url: values.embed_url.trim() }),
    ...(values.duration !== before.duration && duration !== undefined && { duration }),
    ...(values.start_seconds !== before.start_seconds && start !== undefined && { start_seconds: start }),
    ...(values.shape !== before.shape && { shape: values.shape }),
    ...pictureLinkInput(values.picture),
    ...values.uploader,
  }
}
