/** Reads feeds: RSS 0.9 to 2.0, Atom, and JSON Feed. Tolerates what is not well-formed. */
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { htmlToText, tokenizeLongHtml } from '../../../core/html-tokenizer.ts'
import { createYield } from '../../../core/yield.ts'
import type { RawItem } from '../formats/imported-item.ts'
import { asList, asRecord, asText } from '../formats/json-items.ts'

export interface Feed {
  title: string
  /** In the order of the feed, the newest first in most. */
  items: RawItem[]
  /** Whether every item has a video. */
  isVideoFeed: boolean
  /** The next page of an archived feed (RFC 5005), or null. */
  nextUrl: string | null
}

/** Items of one page that are read. */
const maxItems = 2000
/** Characters of a title, link or description that are read. */
const maxText = 20_000
/** Elements within each other that are distinguished. Further ones are counted only. */
const maxDepth = 50

/** Returns whether a text is a feed in XML, by the elements at its beginning. */
export function isXmlFeed(text: string): boolean {
  const start = text.slice(0, 8000)
  const found = /<(?:[\w-]+:)?(?:rss|feed|rdf)[\s>]/i.exec(start)
  return found !== null && !/<html[\s>]/i.test(start.slice(0, found.index))
}

interface Entry {
  title: string
  link: string | null
  /** The identifier of an item in RSS, which is its link unless the feed says otherwise. */
  guid: string | null
  summary: string
  tags: string[]
  videoFile: string | null
  hasVideo: boolean
}

const noEntry = (): Entry => ({
  title: '',
  link: null,
  guid: null,
  summary: '',
  tags: [],
  videoFile: null,
  hasVideo: false,
})

/** The elements whose text is read, with the field of an entry. The first that is not blank wins. */
const textFields: Record<string, 'title' | 'link' | 'guid' | 'summary' | 'tags'> = {
  title: 'title',
  'media:title': 'title',
  link: 'link',
  guid: 'guid',
  description: 'summary',
  summary: 'summary',
  content: 'summary',
  'media:description': 'summary',
  'content:encoded': 'summary',
  category: 'tags',
}

/** @param url the address of the feed, to which links can be relative */
export async function readXmlFeed(text: string, url: string): Promise<Feed> {
  const entries: Entry[] = []
  const feed = noEntry()
  let nextUrl: string | null = null
  let entry: Entry | null = null
  /** The prefix of the elements of the feed itself, for example `atom:`. */
  let prefix: string | null = null
  /** The names of the elements that are open, and how many are open beyond `maxDepth`. */
  const open: string[] = []
  let deeper = 0
  let field: { name: (typeof textFields)[string]; depth: number; text: string } | null = null

  const withoutPrefix = (tag: string) =>
    prefix !== null && prefix !== '' && tag.startsWith(prefix) ? tag.slice(prefix.length) : tag
  const openElement = (name: string, parent: string | undefined, attributes: Record<string, string>) => {
    const target = entry ?? feed
    if (isItem(name)) {
      entry = noEntry()
      if (entries.length < maxItems) entries.push(entry)
    } else if (name === 'link' && attributes.href !== undefined) {
      if (entry === null && attributes.rel === 'next') nextUrl ??= attributes.href
      addLink(target, attributes)
    } else if (name === 'enclosure' || name === 'media:content') {
      addMedia(target, attributes)
    } else if (name === 'category' && attributes.term !== undefined) {
      target.tags.push(attributes.label ?? attributes.term)
    } else if (name === 'guid' && attributes.ispermalink === 'false') {
      target.guid ??= ''
    }
    const known = field === null && isField(name, parent) ? textFields[name] : undefined
    if (known !== undefined) field = { name: known, depth: open.length, text: '' }
  }

  /** Closes an open element and those within it, which may have no end tags. -1: none. */
  const closeFrom = (at: number) => {
    if (at === -1) return
    if (field !== null && field.depth > at) {
      addText(entry ?? feed, field.name, field.text)
      field = null
    }
    if (open.splice(at).some(isItem)) entry = null
  }

  await tokenizeLongHtml(
    text,
    {
      open(tag, attributes) {
        prefix ??= /^([\w-]+:)(?:feed|rss)$/.exec(tag)?.[1] ?? ''
        if (open.length === maxDepth) {
          deeper += 1
          return
        }
        const name = withoutPrefix(tag)
        // Items do not contain each other: the one before was not closed.
        if (isItem(name)) closeFrom(open.findIndex(isItem))
        const parent = open.at(-1)
        open.push(name)
        openElement(name, parent, attributes)
      },
      close(tag) {
        if (deeper > 0) {
          deeper -= 1
          return
        }
        closeFrom(open.lastIndexOf(withoutPrefix(tag)))
      },
      text(piece) {
        // A CDATA section is one piece, however long it is.
        if (field !== null && field.text.length < maxText) field.text += piece.slice(0, maxText)
      },
    },
    { xmlMode: true },
  )
  return {
    title: toPlainText(feed.title),
    items: await mapWithPauses(entries, (found) => toItem(found, url)),
    isVideoFeed: entries.length > 0 && entries.every(({ hasVideo }) => hasVideo),
    nextUrl: nextUrl === null ? null : absolute(nextUrl, url),
  }
}

function isItem(name: string): boolean {
  return name === 'item' || name === 'entry'
}

/** The picture and author of a feed have titles and links of their own. */
function isField(name: string, parent: string | undefined): boolean {
  const parents = name.startsWith('media:')
    ? ['item', 'entry', 'media:group', 'media:content']
    : ['item', 'entry', 'channel', 'feed']
  return Object.hasOwn(textFields, name) && parents.includes(parent ?? '')
}

function addText(entry: Entry, name: (typeof textFields)[string], text: string): void {
  const trimmed = text.trim()
  if (name === 'tags') {
    if (trimmed !== '') entry.tags.push(trimmed)
  } else if (name === 'link') {
    entry.link ??= trimmed === '' ? null : trimmed
  } else if (name === 'guid') {
    entry.guid ??= trimmed
  } else {
    entry[name] ||= trimmed
  }
}

/** A link of Atom without a relation leads to the page of the entry. */
function addLink(entry: Entry, { rel = 'alternate', href = '', type = '' }: Record<string, string>): void {
  if (rel === 'alternate' && (entry.link === null || /html/.test(type))) entry.link = href
  if (rel === 'enclosure') addMedia(entry, { url: href, type })
}

function addMedia(entry: Entry, { url, type = '', medium = '' }: Record<string, string>): void {
  // YouTube declares its players as Flash.
  if (medium !== 'video' && !/^(?:video\/|application\/x-shockwave-flash)/i.test(type)) return
  entry.hasVideo = true
  if (/^video\//i.test(type)) entry.videoFile ??= url ?? null
}

/** Reading the texts of 5 MB of items as HTML takes seconds. */
async function mapWithPauses<From, To>(list: readonly From[], convert: (element: From) => To): Promise<To[]> {
  const converted: To[] = []
  const letOthersRun = createYield()
  for (const element of list) {
    await letOthersRun()
    converted.push(convert(element))
  }
  return converted
}

function toItem({ title, link, guid, summary, tags, videoFile }: Entry, base: string): RawItem {
  const guidLink = guid !== null && /^https?:\/\//i.test(guid) ? guid : null
  const url = link ?? guidLink ?? videoFile
  return {
    url: url === null ? null : absolute(url, base),
    title: toPlainText(title),
    description: toPlainText(summary),
    tags,
  }
}

function absolute(link: string, base: string): string {
  return parseUrl(link, base)?.href ?? link
}

/** Texts of feeds may be HTML, escaped once more. */
function toPlainText(text: string): string {
  return /[<&]/.test(text) ? htmlToText(text) : text
}

/** Returns a JSON Feed, or null for other JSON. */
export async function readJsonFeed(value: unknown, url: string): Promise<Feed | null> {
  const feed = asRecord(value)
  if (!/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\/1/.test(asText(feed.version))) return null
  const items = asList(feed.items).slice(0, maxItems).map(asRecord)
  const videoOf = ({ attachments }: Record<string, unknown>) =>
    asList(attachments)
      .map(asRecord)
      .find(({ mime_type }) => /^video\//i.test(asText(mime_type)))
  const next = asText(feed.next_url)
  return {
    title: asText(feed.title),
    items: await mapWithPauses(items, (item) => ({
      url: absolute(asText(item.url) || asText(item.external_url) || asText(videoOf(item)?.url), url),
      title: item.title,
      description:
        asText(item.content_text) ||
        toPlainText((asText(item.summary) || asText(item.content_html)).slice(0, maxText)),
      tags: item.tags,
    })),
    isVideoFeed: items.length > 0 && items.every((item) => videoOf(item) !== undefined),
    nextUrl: next === '' ? null : absolute(next, url),
  }
}
