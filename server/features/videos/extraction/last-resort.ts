/** What yt-dlp finds out about a video of which the page tells too little (docs/decisions/0091-yt-dlp.md). */
import type { YtDlp } from '../../../core/yt-dlp/yt-dlp.ts'
import type { ChosenMetadata } from './choose-metadata.ts'
import type { VideoMetadata } from './json-ld.ts'

/**
 * Returns whether so little was found that yt-dlp is asked: no title, or, where no user waits, neither a player nor a
 * duration, as of pages without a video.
 */
export function isTooLittle(found: ChosenMetadata, isInBackground: boolean): boolean {
  return found.title === '' || (isInBackground && found.embed_url === null && found.duration === null)
}

/** Asks yt-dlp about a link until the signal is aborted. Returns null if it knows nothing. */
export async function askYtDlp(
  ytDlp: YtDlp,
  url: string,
  signal: AbortSignal,
): Promise<VideoMetadata | null> {
  const facts = await ytDlp.read(url, signal)
  if (facts === null) return null
  const asText = (value: number | null | undefined) => (value == null ? null : String(value))
  return {
    name: facts.title ?? null,
    description: null,
    thumbnails: facts.thumbnail == null ? [] : [facts.thumbnail],
    embedUrl: null,
    duration: asText(facts.duration),
    width: asText(facts.width),
    height: asText(facts.height),
    keywords: [],
    author: facts.uploader ?? null,
    authorUrl: facts.uploader_url ?? null,
    familyFriendly: null,
    // Of the lowest trust, so that it replaces nothing that the page says.
    isMain: false,
    isVideo: true,
  }
}
