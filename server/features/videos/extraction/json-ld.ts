/** What a schema.org VideoObject says, from JSON-LD or microdata; URLs and times as written. */
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
  familyFriendly: boolean | null
  /** It stands for the page, not for a part of it (a recipe's film, one of a list). */
  isMain: boolean
}

type Json = Record<string, unknown>

const maxDepth = 12
const maxNodes = 5000

/** All VideoObjects in one script's text, in order. Broken JSON is mended where that is simple; else []. */
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
      found.push(toMetadata(node, isMain))
      return
    }
    for (const [key, inner] of Object.entries(node)) {
      const stays =
        isMain && (key === '@graph' || key === 'mainEntity' || key === 'mainEntityOfPage' || isWrapper(node))
      if (typeof inner === 'object') walk(inner, depth + 1, stays)
    }
  }

  walk(root, 0, true)
  return found
}

/** A page that is about its one video, said around it. */
function isWrapper(node: Json): boolean {
  return (
    types(node).some((type) => /^(?:WebPage|ItemPage|VideoPage)$/i.test(type)) || node['@type'] === undefined
  )
}

/** A film's page often describes the work (`Movie`) and not the file; without a picture or player that is of no use. */
function isVideo(node: Json): boolean {
  const said = types(node)
  if (said.includes('VideoObject')) return true
  const isWork = said.some((type) =>
    /^(?:Movie|TVEpisode|TVSeries|Clip|MusicVideoObject|VideoGame)$/.test(type),
  )
  return isWork && ['embedUrl', 'contentUrl', 'thumbnailUrl', 'image'].some((name) => name in node)
}

function types(node: Json): string[] {
  return [node['@type']]
    .flat()
    .flatMap((type) => (typeof type === 'string' ? [type.replace(/^.*[/:#]/, '')] : []))
}

function toMetadata(node: Json, isMain: boolean): VideoMetadata {
  const thumbnails = [node.thumbnailUrl, node.thumbnailURL, node.thumbnail, node.image]
    .flat()
    .flatMap((each) => readUrls(each))
  const friendly = node.isFamilyFriendly
  return {
    name: readText(node.name) ?? readText(node.headline),
    description: readText(node.description),
    thumbnails: thumbnails.slice(0, 10),
    embedUrl: readUrls(node.embedUrl ?? node.embedURL)[0] ?? null,
    duration: readText(node.duration),
    width: readText(node.width),
    height: readText(node.height),
    keywords: [node.keywords].flat().flatMap((word) => (typeof word === 'string' ? word.split(',') : [])),
    author:
      readText(node.author) ?? readText(node.creator) ?? readText(node.uploader) ?? readText(node.director),
    familyFriendly: friendly === undefined ? null : !/^(?:false|no|0)$/i.test(String(friendly)),
    isMain,
  }
}

/** A text, or the name or value of a thing (`{"@type": "Person", "name": …}`), or the first of a list of them. */
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

function readUrls(value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return []
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((each) => readUrls(each, depth + 1))
  if (typeof value === 'object' && value !== null) {
    const { url, contentUrl, '@id': id } = value as Json
    return readUrls(url ?? contentUrl ?? id, depth + 1)
  }
  return []
}

/** As sites write it: with comments, HTML comment marks, line breaks in texts, a comma too many, two objects in a row. */
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
      // The next attempt, or none.
    }
  }
  return undefined
}

/**
 * One pass, so linear: knows whether it is inside a text. What is written is only added to and never looked at again:
 * looking at the end of a text that is still growing copies all of it each time.
 */
function repairJson(text: string): string {
  let out = ''
  let inText = false
  /** A comma was read, and is written once something follows that is no end. */
  let isCommaDue = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    const next = text.charAt(i + 1)
    if (inText) {
      if (char === '\\') {
        // Only the escapes that JSON has.
        if (/["\\/bfnrtu]/.test(next)) out += char + next
        else out += next
        i++
      } else if (char === '"') {
        inText = false
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
      if (char === '"') inText = true
      if (!isCommaDue) out += char
    }
  }
  return out
}
