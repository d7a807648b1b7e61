import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import type { Extraction } from '@reelmark/contract/extraction.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { AccountDetails } from '../stored.ts'
import type { Destination } from './choose-destination.ts'
import type { SaveRequest } from './pending-save.ts'

/**
 * Returns the body of the request that saves a video.
 * @param extraction what the site found on the page; null: nothing
 */
export function createSaveBody(
  { url, title, tags, access, note, startSeconds }: SaveRequest,
  destination: Destination,
  extraction: Extraction | null,
  { orientation }: Pick<AccountDetails, 'orientation'>,
): SaveInput {
  const start_seconds = startSeconds ?? extraction?.start_seconds ?? null
  const found = extraction?.video
  return {
    video: {
      source_url: url,
      title: (title.trim() || found?.title.trim() || url).slice(0, limits.titleMax),
      tags: [...tags],
      // Videos of adult sites are never saved as SFW.
      orientation: found === undefined || found.orientation === 'sfw' ? orientation : found.orientation,
      ...(found !== undefined && {
        description: found.description,
        embed_url: shortEnough(found.embed_url),
        thumbnail_url: shortEnough(found.thumbnail_url),
        shape: found.shape,
        duration: found.duration,
        width: found.width,
        height: found.height,
      }),
    },
    bookmark: {
      channel_id: destination.channel,
      ...(destination.channel === null && { collection_id: destination.collection }),
      ...(access !== null && { access }),
      ...(note.trim() !== '' && { private_note: note.trim() }),
      ...(start_seconds !== null && { start_seconds }),
    },
  }
}

/** The site finds longer links than it accepts. */
function shortEnough(url: string | null): string | null {
  return url !== null && url.length <= limits.urlMax ? url : null
}
