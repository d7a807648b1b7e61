/** Turns the items of other tools' files into bookmarks and likes in the form of our own file. No I/O. */
import type { ImportOptions } from '@reelmark/contract/imports.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { recogniseVideo } from '../../core/video-links/recognise-video.ts'
import { chooseAccess } from './foreign-collections.ts'
import type { ForeignFormat } from './formats/detect-format.ts'
import type { ImportedItem } from './formats/imported-item.ts'

/** Subscriptions have no counterpart here, and watched videos are a choice of the user (foreign-history.ts). */
export function isSavedItem({ kind }: ImportedItem): boolean {
  return kind === 'saved' || kind === 'liked' || kind === 'watch_later'
}

/** Tools that only save videos, also of sites that their links do not tell. */
const videoTools: ReadonlySet<ForeignFormat['format']> = new Set([
  'newpipe',
  'freetube',
  'invidious',
  'video-list',
])

/**
 * Returns whether the link of an item is known to be that of a video: by its site, unless that has audio or pictures,
 * too; or because the tool saves nothing else.
 */
export function isVideoItem({ url }: ImportedItem, { format }: ForeignFormat): boolean {
  return videoTools.has(format) || recogniseVideo(url)?.is_certain_video === true
}

/** Returns the title that a bookmark gets if the tool has none. */
export function titleFromLink(url: string): string {
  return [...url.replace(/^https?:\/\/(?:www\.)?/i, '')].slice(0, limits.titleMax).join('')
}

/** Returns an item as a bookmark of our own file. `now` is its time if the tool has none. */
export function toTransferBookmark(
  item: ImportedItem,
  destination: Pick<TransferFile['bookmarks'][number], 'collection' | 'channel'>,
  { options, orientation, now }: { options: ImportOptions; orientation: Orientation; now: string },
) {
  const { url, description, tags, note } = item
  const title = item.title || titleFromLink(url)
  return {
    ...destination,
    title,
    description,
    tags,
    access: chooseAccess(item, options),
    private_note: note,
    created_at: item.saved_at ?? now,
    video: {
      source_url: url,
      title,
      description: '',
      tags: [],
      embed_url: null,
      thumbnail_url: null,
      orientation,
      shape: 'unknown' as const,
      duration: null,
      width: null,
      height: null,
    },
  }
}
