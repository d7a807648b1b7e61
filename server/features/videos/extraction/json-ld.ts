/** The content of a schema.org VideoObject, from JSON-LD or microdata; URLs and durations as written. */
export type VideoMetadata = {
  name: string | null
  description: string | null
  thumbnails: string[]
  embedUrl: string | null
  duration: string | null
  width: string | null
  height: string | null
  keywords: string[]
  author: string | null
  /** The page of the author. */
  authorUrl: string | null
  familyFriendly: boolean | null
  /** Whether it describes the page and not a part of it (a recipe's video, one of a list). */
  isMain: boolean
  /** False for another work (an article, a song), whose title and picture are used if there is no video. */
  isVideo: boolean
}

type Json = Record<string, unknown>

const maxDepth = 12
const maxNodes = 5000

/** Returns all VideoObjects and the main works of one script, in order. Repairs broken JSON where that is simple; otherwise returns []. */
export function readJsonLd(text: string): VideoMetadata[] {
  const root = parseLenient(text)
  if (root === undefined) return []
  const found: VideoMetadata[] = []
  let nodes = 0

  function walk(value: unknown, depth: number, isMain: boolean): void {
    if (depth > maxDepth || nodes++ > maxNodes || found.length >= 20) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1, isMain)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const node = value as Json
    if (isVideo(node)) {
      found.push(toMetadata(node, isMain, true))
      return
    }
    if (isMain && isWork(node) && ('name' in node || 'headline' in node)) {
      found.push(toMetadata(node, isMain, false))
    }
    for (const [key, inner] of Object.entries(node)) {
      const isInnerMain =
        isMain && (key === '@graph' || key === 'mainEntity' || key === 'mainEntityOfPage' || isWrapper(node))
      if (typeof inner === 'object') walk(inner, depth + 1, isInnerMain)
    }
  }

  walk(root, 0, true)
  return found
}

/** Returns whether a node describes the page around its main video. */
function isWrapper(node: Json): boolean {
  return (
    types(node).some((type) => /^(?:WebPage|ItemPage|VideoPage)$/i.test(type)) || node['@type'] === undefined
  )
}

/** Returns whether a node is a video. Film pages often describe the work (`Movie`), which counts only with a picture or player. */
function isVideo(node: Json): boolean {
  const names = types(node)
  if (names.includes('VideoObject')) return true
  const isWork = names.some((type) =>
    /^(?:Movie|TVEpisode|TVSeries|Clip|MusicVideoObject|VideoGame)$/.test(type),
  )
  return isWork && ['embedUrl', 'contentUrl', 'thumbnailUrl', 'image'].some((name) => name in node)
}

/** Returns whether a node is a work of another kind that a page can be about. */
function isWork(node: Json): boolean {
  return types(node).some((type) =>
    /^(?:\w*Article|\w*Posting|\w*Episode|\w*Recording|\w*Album|\w*Series|AudioObject|Recipe|Course|CreativeWork|Event|\w*Event|Movie|Report|Review)$/.test(
      type,
    ),
  )
}

function types(node: Json): string[] {
  return [node['@type']]
    .flat()
    .flatMap((type) => (typeof type === 'string' ? [type.replace(/^.*[/:#]/, '')] : []))
}

function toMetadata(node: Json, isMain: boolean, isVideo: boolean): VideoMetadata {
  const thumbnails = [node.thumbnailUrl, node.thumbnailURL, node.thumbnail, node.image]
    .flatMap((values) => [values].flat().toSorted((a, b) => declaredWidth(b) - declaredWidth(a)))
    .flatMap((value) => readUrls(value))
  const friendly = node.isFamilyFriendly
  return {
    name: readText(node.name) ?? readText(node.headline),
    description: readText(node.description),
    thumbnails: thumbnails.slice(0, 10),
    embedUrl: readUrls(node.embedUrl ?? node.embedURL)[0] ?? null,
    duration: readText(node.duration),
    width: readText(node.width),
    height: readText(node.height),
    keywords: [node.keywords]
      .flat()
      .flatMap((word) => (typeof word === 'string' ? word.split(',', 200) : [])),
    ...readAuthor(node),
    familyFriendly: friendly === undefined ? null : !/^(?:false|no|0)$/i.test(String(friendly)),
    isMain,
    isVideo,
  }
}

/** Returns the first of the persons or organisations that published or made a work, by name. */
function readAuthor({ author, creator, uploader, director }: Json): {
  author: string | null
  authorUrl: string | null
} {
  const named = [author, creator, uploader, director].find((value) => readText(value) !== null)
  const [first] = [named].flat()
  // A text is a name.
  const urls = typeof first === 'object' ? readUrls(first) : []
  return { author: readText(named), authorUrl: urls[0] ?? null }
}

/** Returns a text, the name or value of an object (`{"@type": "Person", "name": …}`), or that of the first in a list. */
function readText(value: unknown, depth = 0): string | null {
  if (depth > maxDepth) return null
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.length > 0 ? readText(value[0], depth + 1) : null
  if (typeof value === 'object' && value !== null) {
    const { name, value: inner } = value as Json
    return typeof name === 'object' || typeof inner === 'object'
      ? null
      : (readText(name) ?? readText(inner) ?? readText((value as Json)['@value'], depth + 1))
  }
  return null
}

/** Returns the width of an ImageObject; 0 if none is declared. */
function declaredWidth(image: unknown): number {
  const width = typeof image === 'object' && image !== null ? Number((image as Json).width) : 0
  return Number.isFinite(width) ? width : 0
}

function readUrls(value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return []
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((item) => readUrls(item, depth + 1))
  if (typeof value === 'object' && value !== null) {
    const { url, contentUrl, '@id': id } = value as Json
    return readUrls(url ?? contentUrl ?? id, depth + 1)
  }
  return []
}

/** Parses JSON as sites write it: with comments, HTML comment marks, line breaks in strings, trailing commas. */
function parseLenient(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>)$/, '')
    .replace(/;\s*$/, '')
  for (const attempt of [bare, repairJson(bare)]) {
    try {
      return JSON.parse(attempt)
    } catch {
      // Try the next form, if any.
    }
  }
  return undefined
}

/**
 * Repairs JSON in one pass over the text. The output is only appended to, because reading the end of a growing string
 * copies the whole string each time.
 */
function repairJson(text: string): string {
  let out = ''
  let inString = false
  /** A comma was read; it is written once something other than a closing bracket follows. */
  let isCommaDue = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    const next = text.charAt(i + 1)
    if (inString) {
      if (char === '\\') {
        // Drops the backslash of escapes that JSON does not have.
        if (/["\\/bfnrtu]/.test(next)) out += char + next
        else out += next
        i++
      } else if (char === '"') {
        inString = false
        out += char
      } else out += char < ' ' ? ' ' : char
    } else if (char === '/' && next === '*') {
      const end = text.indexOf('*/', i + 2)
      i = end === -1 ? text.length : end + 1
    } else if (char === '/' && next === '/') {
      const end = text.indexOf('\n', i)
      i = end === -1 ? text.length : end
    } else if (char <= ' ') {
      out += char
    } else {
      if (isCommaDue && char !== '}' && char !== ']') out += ','
      isCommaDue = char === ','
      if (char === '"') inString = true
      if (!isCommaDue) out += char
    }
  }
  return out
}
