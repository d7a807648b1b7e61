/** Recognises JSON files by the names in them. */
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { createYield } from '../../../core/yield.ts'
import { maxJsonDepth } from './read-limits.ts'

/** The first value at each path, for example at `bookmarks.*.url`. */
export type JsonShape = ReadonlyMap<string, unknown>

const maxPaths = 5000
const chunkBytes = 4096

/** Reads the paths of the values in the beginning of a file, which may be cut off anywhere or have invalid parts. */
export async function readJsonShape(head: string): Promise<JsonShape> {
  const shape = new Map<string, unknown>()
  const tokenizer = new Tokenizer({ separator: '' })
  const values = new TokenParser({ separator: '' })
  let depth = 0
  tokenizer.onToken = (info) => {
    if (info.token === TokenType.LEFT_BRACE || info.token === TokenType.LEFT_BRACKET) depth += 1
    if (info.token === TokenType.RIGHT_BRACE || info.token === TokenType.RIGHT_BRACKET) depth -= 1
    // Each value takes time in proportion to its depth.
    if (depth > maxJsonDepth) throw new Error('nested too deeply')
    values.write(info)
  }
  values.onValue = ({ value, key, stack }) => {
    const names = stack.length === 0 ? [] : [...stack.slice(1).map((entry) => entry.key), key]
    const path = names.map((name) => (typeof name === 'number' ? '*' : name)).join('.')
    if (shape.size < maxPaths && !shape.has(path)) shape.set(path, value)
  }
  const letOthersRun = createYield()
  const bytes = Buffer.from(head)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    await letOthersRun()
    try {
      tokenizer.write(bytes.subarray(at, at + chunkBytes))
    } catch {
      // What is invalid is reported when the file is read.
      break
    }
  }
  return shape
}

export type JsonFormatName =
  | 'reelmark'
  | 'youtube-history-json'
  | 'youtube-json'
  | 'newpipe-subscriptions'
  | 'freetube'
  | 'invidious'
  | 'tiktok'
  | 'vimeo'
  | 'dailymotion'
  | 'pinboard'
  | 'wallabag'
  | 'omnivore'
  | 'karakeep'
  | 'linkwarden'

/** What the beginning of each tool's files contains. The order decides where several fit. */
const signatures: readonly [format: JsonFormatName, fits: (shape: JsonShape) => boolean][] = [
  ['reelmark', (shape) => shape.get('format') === 'reelmark'],
  [
    'youtube-history-json',
    (shape) => hasAll(shape, '*.header', '*.title', '*.time') && !isSearchHistory(shape),
  ],
  [
    'youtube-json',
    (shape) => hasAny(shape, '*.snippet.resourceId.channelId', '*.snippet.resourceId.videoId'),
  ],
  ['youtube-json', (shape) => hasAll(shape, '*.contentDetails.videoId')],
  ['newpipe-subscriptions', (shape) => hasAll(shape, 'subscriptions.*.service_id')],
  [
    'freetube',
    (shape) => hasAny(shape, 'playlistName', '*.playlistName', 'timeWatched', 'subscriptions.*.id'),
  ],
  [
    'invidious',
    (shape) => typeof shape.get('subscriptions.*') === 'string' || hasAll(shape, 'watch_history'),
  ],
  ['tiktok', (shape) => [...shape.keys()].some((path) => tiktokNames.test(path))],
  ['vimeo', (shape) => hasAll(shape, 'data.*.link') && hasAny(shape, 'data.*.uri', 'data.*.name')],
  ['vimeo', (shape) => hasAll(shape, 'data.*.clip.link')],
  ['dailymotion', (shape) => hasAll(shape, 'list.*.id') && hasAny(shape, 'list.*.title', 'list.*.url')],
  ['pinboard', (shape) => hasAll(shape, '*.href', '*.description')],
  ['wallabag', (shape) => hasAll(shape, '*.url', '*.is_archived')],
  ['omnivore', (shape) => hasAll(shape, '*.url', '*.slug', '*.state')],
  ['karakeep', (shape) => hasAll(shape, 'bookmarks.*.createdAt')],
  ['linkwarden', (shape) => hasAll(shape, 'collections.*.name') && hasAny(shape, ...linkwardenPaths)],
]

const tiktokNames =
  /^(?:Activity|Your Activity|Likes and Favorites|Profile And Settings|TikTok Live|Tiktok Live|Ads and data)(?:\.|$)/

const linkwardenPaths = ['collections.*.links.*.url', 'collections.*.isPublic', 'collections.*.ownerId']

function hasAll(shape: JsonShape, ...paths: string[]): boolean {
  return paths.every((path) => shape.has(path))
}

function hasAny(shape: JsonShape, ...paths: string[]): boolean {
  return paths.some((path) => shape.has(path))
}

/** Searches have the same form as watched videos. */
function isSearchHistory(shape: JsonShape): boolean {
  return String(shape.get('*.titleUrl')).includes('/results?')
}

/** Returns the format with this shape; null if none fits. */
export function findJsonFormat(shape: JsonShape): JsonFormatName | null {
  return signatures.find(([, fits]) => fits(shape))?.[0] ?? null
}
