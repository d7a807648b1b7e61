import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { tokenizeHtml, tokenizeXml } from '../../../core/html-tokenizer.ts'

/** The fields of an oEmbed document that we use (oembed.com, version 1.0). */
export type OembedMetadata = {
  title: string | null
  author: string | null
  authorUrl: string | null
  provider: string | null
  description: string | null
  thumbnail: string | null
  thumbnailWidth: number | null
  thumbnailHeight: number | null
  width: number | null
  height: number | null
  duration: string | null
  /** https; only from a document with exactly one iframe and no script. */
  embed: string | null
  tags: string[]
}

/** Reads an oEmbed document; null for anything else. Of its HTML only the address of the frame is used. */
export function readOembed(text: string): OembedMetadata | null {
  const document = parseDocument(text)
  if (document === null) return null
  if (
    !/^(?:video|rich|photo|link)$/.test(String(document.type)) ||
    /error/i.test(String(document.error ?? ''))
  )
    return null
  const string = (name: string) => {
    const value = document[name]
    return typeof value === 'string' && value.trim() !== '' ? value : null
  }
  const number = (name: string) => {
    const value = Number(document[name] ?? Number.NaN)
    return Number.isFinite(value) && value > 0 && value <= 100_000 ? Math.round(value) : null
  }
  const isPhoto = document.type === 'photo'
  const isPlayer = document.type === 'video' || document.type === 'rich'
  const tags = Array.isArray(document.keywords)
    ? document.keywords
    : (string('keywords') ?? string('tags') ?? '').split(',', 200)
  const duration = document.duration
  return {
    title: string('title'),
    author: string('author_name'),
    authorUrl: string('author_url'),
    provider: string('provider_name'),
    description: string('description'),
    thumbnail: string('thumbnail_url') ?? (isPhoto ? string('url') : null),
    thumbnailWidth: number('thumbnail_width'),
    thumbnailHeight: number('thumbnail_height'),
    // The size of type `rich` is that of a widget and not of a video.
    width: document.type === 'video' ? number('width') : null,
    height: document.type === 'video' ? number('height') : null,
    duration: typeof duration === 'number' || typeof duration === 'string' ? String(duration) : null,
    embed: isPlayer ? singleFrameUrl(string('html') ?? '') : null,
    tags: tags.filter((tag): tag is string => typeof tag === 'string'),
  }
}

function parseDocument(text: string): Record<string, unknown> | null {
  if (/^\s*</.test(text)) return parseXml(text)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    return parsed as Record<string, unknown>
  } catch {
    return null
  }
}

/** Parses the flat XML form: `<oembed><title>…</title></oembed>`, values escaped or in CDATA. */
function parseXml(text: string): Record<string, unknown> | null {
  if (!/<oembed[\s>]/.test(text.slice(0, 2000))) return null
  const fields = new Map<string, string>()
  let name = ''
  let value = ''
  tokenizeXml(text.slice(0, 50_000), {
    open(tag) {
      name = tag
      value = ''
    },
    text(piece) {
      value += piece
    },
    close(tag) {
      if (tag === name) fields.set(name, value)
      name = ''
    },
  })
  return Object.fromEntries(fields)
}

/** Returns the address of the only iframe; null if there are several, a script, or another scheme than https. */
function singleFrameUrl(html: string): string | null {
  const frames: string[] = []
  let scripts = 0
  tokenizeHtml(html.slice(0, 50_000), {
    open(tag, attributes) {
      if (tag === 'iframe') frames.push(attributes.src ?? '')
      else if (/^(?:script|object|embed|form|base)$/.test(tag)) scripts++
    },
    close() {},
    text() {},
  })
  const [source = ''] = frames
  if (frames.length !== 1 || scripts > 0) return null
  const absolute = source.startsWith('//') ? `https:${source}` : source.trim()
  return /^https:\/\//i.test(absolute) ? (parseUrl(absolute)?.href ?? null) : null
}
