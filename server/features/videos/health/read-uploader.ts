/** Reads the uploader from the JSON that a check of a video receives anyway. No I/O. */
import { uploaderLink } from '../../../core/video-links/entered-links.ts'
import { cleanName } from '../extraction/rules.ts'
import { field, type HealthResponse, parseObject } from './read-response.ts'

/**
 * Returns the uploader of an available video from an oEmbed response or the API of its host; null if the response contains none.
 * @param sourceUrl the link of the video: its uploader is linked at its host only
 */
export function readUploader(
  { body }: Pick<HealthResponse, 'body'>,
  sourceUrl: string,
): { uploader_name: string; uploader_url: string | null } | null {
  // Pages begin with a tag.
  if (!/^\s*\{/.test(body.toString('utf8', 0, 100))) return null
  const json = parseObject(body)
  for (const [name, url] of namedUploaders(json)) {
    const uploader_name = cleanName(typeof name === 'string' ? name : null)
    if (uploader_name === '') continue
    return { uploader_name, uploader_url: uploaderLink(typeof url === 'string' ? url : null, sourceUrl) }
  }
  return null
}

/** Returns name and link as each API has them; other types for fields that are missing. */
function namedUploaders(json: Record<string, unknown>): [name: unknown, url: unknown][] {
  const ofVimeo = field(field(json, 'video'), 'owner')
  const ofDailymotion = field(json, 'owner')
  const ofPeertube = field(json, 'channel')
  const ofBilibili = field(field(json, 'data'), 'owner')
  const [creator] = [field(json, 'metadata').creator].flat()
  return [
    // oEmbed
    [json.author_name, json.author_url],
    [ofVimeo.name, ofVimeo.url],
    [ofDailymotion.screenname, ofDailymotion.url],
    [ofPeertube.displayName, ofPeertube.url],
    [
      ofBilibili.name,
      typeof ofBilibili.mid === 'number' ? `https://space.bilibili.com/${ofBilibili.mid}` : null,
    ],
    // archive.org. Its `uploader` is an email address.
    [creator, null],
  ]
}
