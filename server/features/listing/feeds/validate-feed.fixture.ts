/**
 * Checks feeds against their specifications, independently of the code that writes them: a strict XML parser, a feed
 * parser, and the required elements of Atom (RFC 4287), RSS 2.0 and JSON Feed 1.1.
 */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'
import { expect } from 'vitest'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** Parses a document as a strict XML parser does. @throws Error if it is not well-formed or a namespace is undeclared */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element = { name, attributes: Object.fromEntries(values), text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.on('cdata', () => {
    throw new Error('texts are escaped and not in CDATA sections')
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  const [document] = root.children
  if (document === undefined) throw new Error('no element')
  return document
}

/** Returns the children with a name. */
export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name)
}

/** Returns the text of the only child with a name. */
export function textOf(element: XmlElement, name: string): string {
  const found = childrenOf(element, name)
  expect(found.length, `${name} in ${element.name}`).toBe(1)
  return found[0]?.text ?? ''
}

/** What the tests compare of an entry, read from any format. */
export interface ReadEntry {
  id: string
  url: string
  title: string
  summary: string
  published: string
  author: string
  tags: string[]
  thumbnail: string | null
}
export interface ReadFeed {
  title: string
  home: string
  self: string
  entries: ReadEntry[]
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const rfc822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

function expectUrl(text: string): void {
  expect(() => new URL(text), text).not.toThrow()
}

/** Validates a feed of a format and returns its content. */
export function readValidFeed(format: 'atom' | 'rss' | 'json', text: string): ReadFeed {
  return { atom: readAtom, rss: readRss, json: readJson }[format](text)
}

function readAtom(text: string): ReadFeed {
  const feed = parseXml(text)
  expect(feed.name).toBe('feed')
  expect(feed.attributes.xmlns).toBe('http://www.w3.org/2005/Atom')
  const linkOf = (element: XmlElement, rel: string) => {
    const found = childrenOf(element, 'link').filter(({ attributes }) => attributes.rel === rel)
    expect(found.length, `${rel} of ${element.name}`).toBe(1)
    return found[0]?.attributes.href ?? ''
  }
  for (const element of [feed, ...childrenOf(feed, 'entry')]) {
    expectUrl(textOf(element, 'id'))
    expect(textOf(element, 'updated')).toMatch(rfc3339)
    textOf(element, 'title')
    for (const link of childrenOf(element, 'link')) expectUrl(link.attributes.href ?? '')
  }
  expect(parseAtomFeed(text).entries?.length ?? 0).toBe(childrenOf(feed, 'entry').length)
  return {
    title: textOf(feed, 'title'),
    home: linkOf(feed, 'alternate'),
    self: linkOf(feed, 'self'),
    entries: childrenOf(feed, 'entry').map((entry) => {
      const [author, ...others] = childrenOf(entry, 'author')
      expect(others).toEqual([])
      expect(textOf(entry, 'published')).toMatch(rfc3339)
      return {
        id: textOf(entry, 'id'),
        url: linkOf(entry, 'alternate'),
        title: textOf(entry, 'title'),
        summary: textOf(entry, 'summary'),
        published: textOf(entry, 'published'),
        author: author === undefined ? '' : textOf(author, 'name'),
        tags: childrenOf(entry, 'category').map(({ attributes }) => attributes.term ?? ''),
        thumbnail: childrenOf(entry, 'media:thumbnail')[0]?.attributes.url ?? null,
      }
    }),
  }
}

function readRss(text: string): ReadFeed {
  const rss = parseXml(text)
  expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0'])
  const [channel, ...others] = childrenOf(rss, 'channel')
  if (channel === undefined || others.length > 0) throw new Error('not one channel')
  expect(textOf(channel, 'lastBuildDate')).toMatch(rfc822)
  textOf(channel, 'description')
  expect(parseRssFeed(text).items?.length ?? 0).toBe(childrenOf(channel, 'item').length)
  return {
    title: textOf(channel, 'title'),
    home: textOf(channel, 'link'),
    self:
      childrenOf(channel, 'atom:link').find(({ attributes }) => attributes.rel === 'self')?.attributes.href ??
      '',
    entries: childrenOf(channel, 'item').map((item) => {
      expect(childrenOf(item, 'guid')[0]?.attributes.isPermaLink).toBe('true')
      expect(textOf(item, 'pubDate')).toMatch(rfc822)
      expectUrl(textOf(item, 'link'))
      // A description is HTML.
      const html = textOf(item, 'description')
      expect(html).not.toMatch(/[<>"']/)
      return {
        id: textOf(item, 'guid'),
        url: textOf(item, 'link'),
        title: textOf(item, 'title'),
        summary: decodeHtml(html),
        published: new Date(textOf(item, 'pubDate')).toISOString(),
        author: textOf(item, 'dc:creator'),
        tags: childrenOf(item, 'category').map((category) => category.text),
        thumbnail: childrenOf(item, 'media:thumbnail')[0]?.attributes.url ?? null,
      }
    }),
  }
}

function decodeHtml(html: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return html.replace(/&([^;]+);/g, (_, name: string) => characters[name] ?? `?${name}?`)
}

const url = { type: 'string', format: 'uri' }
const time = { type: 'string', format: 'date-time' }
const text = { type: 'string' }
/** JSON Feed 1.1, as far as we write it. */
const validateJsonFeed = addFormats.default(new Ajv({ strict: true }), ['uri', 'date-time']).compile({
  type: 'object',
  required: ['version', 'title', 'items'],
  additionalProperties: false,
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    description: text,
    home_page_url: url,
    feed_url: url,
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'content_text'],
        additionalProperties: false,
        properties: {
          id: text,
          url,
          external_url: url,
          title: text,
          content_text: text,
          image: url,
          date_published: time,
          date_modified: time,
          authors: {
            type: 'array',
            minItems: 1,
            items: { type: 'object', additionalProperties: false, properties: { name: text, url } },
          },
          tags: { type: 'array', items: text },
          _reelmark: { type: 'object' },
        },
      },
    },
  },
})

interface JsonFeed {
  title: string
  home_page_url: string
  feed_url: string
  items: {
    id: string
    url: string
    title: string
    content_text: string
    date_published: string
    authors: { name: string }[]
    tags?: string[]
    image?: string
  }[]
}

function readJson(body: string): ReadFeed {
  const feed = JSON.parse(body) as JsonFeed
  expect(validateJsonFeed(feed), JSON.stringify(validateJsonFeed.errors)).toBe(true)
  expect(parseJsonFeed(feed).items?.length ?? 0).toBe(feed.items.length)
  return {
    title: feed.title,
    home: feed.home_page_url,
    self: feed.feed_url,
    entries: feed.items.map((item) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      summary: item.content_text,
      published: item.date_published,
      author: item.authors[0]?.name ?? '',
      tags: item.tags ?? [],
      thumbnail: item.image ?? null,
    })),
  }
}
