import { decodeEntities } from '../html-tokenizer.ts'
import { normaliseUrl } from './normalise-url.ts'
import { readTarget } from './redirect-wrappers.ts'

/** How many readings of one text are tried. Texts with several defects need up to twenty. */
const maxReadings = 32

/** How many characters all readings of a text have together, so that long texts have fewer. */
const maxTotal = 16_384

/** Longer texts are read literally only. */
const maxLength = 2048

/**
 * A character that ends a link in running text, which a browser or a mail program would not include either. Apostrophes
 * within words occur in names of files.
 */
const linkEnd =
  /[\s<>"`{}|^\u00ab\u00bb\u200b-\u200f\u2018-\u201f\u2026\u2028-\u202e\u3000-\u3002\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]|'(?!\w)|\[\//

/** Returns a link without what follows it in running text: words, quotes, punctuation, closing brackets. */
function withoutSurroundings(text: string): string {
  const start = text.trimStart()
  const end = start.search(linkEnd)
  const link = end > 0 ? start.slice(0, end) : start
  const bracket = link.search(/[)\]]/)
  const isClosingOnly = bracket > 0 && !/[([]/.test(link.slice(0, bracket))
  const balanced = isClosingOnly ? link.slice(0, bracket) : link
  return balanced.replace(/(?<![.,;:!?*\\])[.,;:!?*\\]+$/, '')
}

/**
 * Each returns a text with one defect repaired, or null if it does not have this defect. Together they undo what happens to
 * links between the address bar and our form: chat programs, mail, forums, spreadsheets, share menus and templates.
 */
const repairs: readonly ((text: string) => string | null)[] = [
  /** `&amp;` of copied HTML, `\u0026` and `\/` of copied JSON. */
  (text) => {
    const plain = text
      .replace(/\\u0026/gi, '&')
      .replace(/\\u003d/gi, '=')
      .replaceAll('\\/', '/')
    return /&(?:amp|#\d{1,4}|#x[\da-f]{1,4}|quot|lt|gt);/i.test(plain) ? decodeEntities(plain) : plain
  },
  /** The first link in a sentence, in Markdown, BBCode or HTML. */
  (text) => {
    if (/^\s*(?:https?:)?\/\//i.test(text)) return null
    const at = /(?:[\s"'(<>[\]=«“：】]|\b[a-z-]{3,12}:)(?=(?:https?:)?\/\/[^/\s])/i.exec(text)
    return at === null ? null : text.slice(at.index + at[0].length)
  },
  /** The same without a scheme: `look: video.example/1`. */
  (text) => {
    if (text.includes('//')) return null
    const at = /[\s"'(<>[\]=«“：】](?=(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,10}\/[^\s/])/i.exec(text)
    return at === null ? null : text.slice(at.index + 1)
  },
  /** The target of a page that only redirects. */
  (text) => {
    const link = normaliseUrl(text)
    return link === null ? null : readTarget(new URL(link))
  },
  /** A link that was encoded as a parameter of another, once or several times. */
  (text) => (/%(?:25)*(?:2[0-9a-f]|3[a-f]|40|5[bd]|e2)/i.test(text) ? decodePercent(text) : null),
  /** `watch?v=1?t=2`, `watch?v=1;t=2`, `?&v=1` */
  (text) => {
    const { path, query, hash } = divide(text)
    return query === '' ? null : `${path}?${query.slice(1).replace(/[?;]/g, '&')}${hash}`
  },
  /** `watch&v=1`, as in addresses of old players. */
  (text) => {
    const { path, query, hash } = divide(text)
    const at = path.search(/[&;]/)
    // A path that goes on is one with such a character in it.
    return at === -1 || path.includes('/', at)
      ? null
      : `${path.slice(0, at)}?${path.slice(at + 1)}${query.replace('?', '&')}${hash}`
  },
  /** `#/watch?v=1`, `#!/watch?v=1`: the route of an application in the fragment. */
  (text) => {
    const { path, hash } = divide(text)
    const origin = /^(?:https?:)?\/\/[^/]+/i.exec(path)?.[0]
    return origin !== undefined && /^#!?\//.test(hash) ? origin + hash.replace(/^#!?/, '') : null
  },
  /** `watch#v=1`, `watch#!v=1`, `#?v=1`: the query in the fragment. */
  (text) => {
    const { path, query, hash } = divide(text)
    const parameters = /^#!?[?&]?([\w.-]{1,40}=.*)/s.exec(hash)?.[1]
    return parameters === undefined ? null : `${path}${query === '' ? '?' : `${query}&`}${parameters}`
  },
  /** `#p/u/1/abc?rel=0` */
  (text) => {
    const { path, query, hash } = divide(text)
    const end = hash.search(/[?&]/)
    return end > 1 ? `${path}${query}${hash.slice(0, end)}` : null
  },
  /** `video.example/1's` */
  (text) => {
    const at = text.search(/(?<=\w)'\w/)
    return at === -1 ? null : text.slice(0, at)
  },
  /** Two links without a space between them: the first. */
  (text) => {
    const at = secondLink(text)
    return at === -1 ? null : text.slice(0, at)
  },
]

/**
 * Yields what a pasted text can mean as a link: without what surrounds it, then with each defect repaired that it has, those
 * with fewer repairs first. Stops after a number of readings that does not depend on the text.
 * @param repairMore a further repair
 */
export function* readLink(text: string, repairMore: (text: string) => string | null): Generator<string> {
  if (text.length > maxLength) {
    yield text
    return
  }
  const readings = new Set([withoutSurroundings(text), text])
  let total = 0
  for (const reading of readings) {
    yield reading
    total += reading.length
    if (total > maxTotal) return
    for (const repair of [...repairs, repairMore]) {
      const repaired = readings.size < maxReadings ? repair(reading) : null
      if (repaired === null || repaired === '' || repaired.length > maxLength) continue
      readings.add(withoutSurroundings(repaired))
      // What `withoutSurroundings` removes can contain the link: `words (https://…)`.
      readings.add(repaired)
    }
  }
}

/** Returns the position of a second link that follows the first without a space, or -1. */
export function secondLink(text: string): number {
  const start = /^\s*(?:https?:)?\/\//i.exec(text)?.[0].length ?? 1
  const at = text.slice(start).search(/https?:\/\//i)
  return at === -1 ? -1 : start + at
}

function divide(text: string): { path: string; query: string; hash: string } {
  const [beforeHash = ''] = text.split('#', 1)
  const [path = ''] = beforeHash.split('?', 1)
  return { path, query: beforeHash.slice(path.length), hash: text.slice(beforeHash.length) }
}

function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
