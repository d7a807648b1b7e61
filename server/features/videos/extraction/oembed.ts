import { decodeEntities, tokenizeHtml } from './html-tokenizer.ts'

/** What an oEmbed answer says that we use (oembed.com, version 1.0). */
export type OembedMetadata = {
  title: string | null
  author: string | null
  provider: string | null
  description: string | null
  thumbnail: string | null
  thumbnailWidth: number | null
  thumbnailHeight: number | null
  width: number | null
  height: number | null
  duration: string | null
  /** https; from an answer with one iframe and no script. */
  embed: string | null
  tags: string[]
}

/** null for what is no oEmbed answer. Nothing of its HTML is kept but the one address. */
export function readOembed(text: string): OembedMetadata | null {
  const answer = parseAnswer(text)
  if (answer === null) return null
  if (!/^(?:video|rich|photo|link)$/.test(String(answer.type)) || /error/i.test(String(answer.error ?? '')))
    return null
  const string = (name: string) => {
    const value = answer[name]
    return typeof value === 'string' && value.trim() !== '' ? value : null
  }
  const number = (name: string) => {
    const value = Number(answer[name] ?? Number.NaN)
    return Number.isFinite(value) && value > 0 && value <= 100_000 ? Math.round(value) : null
  }
  const isPhoto = answer.type === 'photo'
  const isPlayer = answer.type === 'video' || answer.type === 'rich'
  const tags = Array.isArray(answer.keywords)
    ? answer.keywords
    : (string('keywords') ?? string('tags') ?? '').split(',')
  const duration = answer.duration
  return {
    title: string('title'),
    author: string('author_name'),
    provider: string('provider_name'),
    description: string('description'),
    thumbnail: string('thumbnail_url') ?? (isPhoto ? string('url') : null),
    thumbnailWidth: number('thumbnail_width'),
    thumbnailHeight: number('thumbnail_height'),
    // A rich answer's size is that of a widget.
    width: answer.type === 'video' ? number('width') : null,
    height: answer.type === 'video' ? number('height') : null,
    duration: typeof duration === 'number' || typeof duration === 'string' ? String(duration) : null,
    embed: isPlayer ? singleFrameUrl(string('html') ?? '') : null,
    tags: tags.filter((tag): tag is string => typeof tag === 'string'),
  }
}

function parseAnswer(text: string): Record<string, unknown> | null {
  if (/^\s*</.test(text)) return parseXml(text)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    return parsed as Record<string, unknown>
  } catch {
    return null
  }
}

/** The flat XML form: `<oembed><title>…</title></oembed>`, values escaped or in CDATA. */
function parseXml(text: string): Record<string, unknown> | null {
  if (!/<oembed[\s>]/.test(text.slice(0, 2000))) return null
  // Short: each field that is left open is looked for to the end.
  const fields = text
    .slice(0, 20_000)
    .matchAll(/<([a-z_]{3,20})>([^<]*|\s*<!\[CDATA\[(?:[^\]]|\](?!\]>))*\]\]>\s*)<\/\1>/g)
  return Object.fromEntries(
    [...fields].map(([, name = '', raw = '']) => {
      const inner = /<!\[CDATA\[(.*)\]\]>/s.exec(raw)?.[1]
      return [name, inner ?? decodeEntities(raw)]
    }),
  )
}

/** The address of the only iframe. More than one, a script, another scheme: null. */
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
  return /^https:\/\//i.test(absolute) && URL.canParse(absolute) ? new URL(absolute).href : null
}
