import { tokenizeLongHtml } from '../../../core/html-tokenizer.ts'
import { createYield, nextTurn } from '../../../core/yield.ts'
import { type EmbeddedVideo, readEmbeddedVideos } from './embedded-videos.ts'
import { readJsonLd, type VideoMetadata } from './json-ld.ts'
import { createMicrodataReader } from './microdata.ts'

/** What a page says about itself, by source, before anything is chosen. URLs are as written. */
export type PageMetadata = {
  /** `og:…`, `twitter:…`, `article:…`, `keywords` and other meta tags by name: their values in order. */
  meta: Map<string, string[]>
  /** `rel` → href, the first of each rel. */
  links: Map<string, string>
  /** The link to its oEmbed document, preferably the JSON one. */
  oembed: string | null
  oembedIsJson: boolean
  jsonLd: VideoMetadata[]
  microdata: VideoMetadata[]
  title: string
  heading: string
  /** Players in frames and in elements that scripts replace by players, the first hundred. */
  embedded: EmbeddedVideo[]
  /** The first picture in the text that is declared as large. */
  largePicture: string | null
  videoPoster: string | null
  relTags: string[]
  base: string | null
}

const maxValues = 60
const maxText = 20_000
const maxEmbedded = 100
/** The limit for all JSON-LD scripts together, in characters; most pages have some thousand, few more than 20,000. */
const maxJsonLd = 100_000

/** Reads any text as HTML. Never throws, and pauses regularly for other work. */
export async function readPage(html: string): Promise<PageMetadata> {
  const facts: PageMetadata = {
    meta: new Map(),
    links: new Map(),
    oembed: null,
    oembedIsJson: false,
    jsonLd: [],
    microdata: [],
    title: '',
    heading: '',
    embedded: [],
    largePicture: null,
    videoPoster: null,
    relTags: [],
    base: null,
  }
  const microdata = createMicrodataReader()
  const jsonLd: string[] = []
  let jsonLdLength = 0
  /** The field to which text is added at present. */
  let collecting: 'title' | 'heading' | 'json-ld' | 'rel-tag' | null = null
  let collected = ''
  let svgDepth = 0

  function finish(): void {
    const text = collected
    if (collecting === 'title' && facts.title === '') facts.title = text
    else if (collecting === 'heading' && facts.heading === '') facts.heading = text
    else if (collecting === 'json-ld') {
      jsonLd.push(text)
      jsonLdLength += text.length
    } else if (collecting === 'rel-tag' && facts.relTags.length < maxValues) facts.relTags.push(text)
    collecting = null
    collected = ''
  }

  function begin(field: NonNullable<typeof collecting>): void {
    if (collecting !== null) finish()
    collecting = field
    collected = ''
  }

  await tokenizeLongHtml(html, {
    open(tag, attributes) {
      microdata.open(tag, attributes)
      if (tag === 'svg') svgDepth++
      if (tag === 'meta') addMeta(facts, attributes)
      else if (tag === 'link') addLink(facts, attributes)
      else if (tag === 'base') facts.base ??= attributes.href ?? null
      else if (tag === 'title' && svgDepth === 0 && facts.title === '') begin('title')
      else if (tag === 'h1' && facts.heading === '') begin('heading')
      else if (tag === 'script' && /^application\/ld\+json/i.test(attributes.type ?? '')) begin('json-ld')
      else if (tag === 'a' && /\btag\b/.test(attributes.rel ?? '')) begin('rel-tag')
      else if (tag === 'video') facts.videoPoster ??= attributes.poster ?? null
      else if (tag === 'img' && isLarge(attributes)) facts.largePicture ??= attributes.src ?? null
      if (facts.embedded.length < maxEmbedded) facts.embedded.push(...readEmbeddedVideos(tag, attributes))
    },
    close(tag) {
      microdata.close(tag)
      if (tag === 'svg' && svgDepth > 0) svgDepth--
      const ends = { title: 'title', h1: 'heading', script: 'json-ld', a: 'rel-tag' }[tag]
      if (collecting !== null && ends === collecting) finish()
    },
    text(text) {
      microdata.text(text)
      if (
        collecting !== null &&
        collected.length < (collecting === 'json-ld' ? maxJsonLd - jsonLdLength : maxText)
      )
        collected += text
    },
  })
  if (collecting !== null) finish()
  await nextTurn()
  const letOthersRun = createYield()
  for (const text of jsonLd.slice(0, 50)) {
    await letOthersRun()
    facts.jsonLd.push(...readJsonLd(text))
  }
  facts.microdata = microdata.videos()
  // Choosing among the facts also takes some milliseconds.
  await nextTurn()
  return facts
}

function isLarge({ width, height }: Record<string, string>): boolean {
  return Number(width) >= 300 && Number(height) >= 150
}

function addMeta(facts: PageMetadata, attributes: Record<string, string>): void {
  const content = (attributes.content ?? attributes.value ?? '').slice(0, maxText)
  if (content.trim() === '') return
  for (const name of [attributes.property, attributes.name, attributes.itemprop, attributes['http-equiv']]) {
    // Some pages write several names into one attribute.
    for (const part of (name ?? '').toLowerCase().split(/\s+/).slice(0, 5)) {
      if (part === '') continue
      const values = facts.meta.get(part) ?? []
      if (values.length < maxValues && facts.meta.size < 1000) facts.meta.set(part, [...values, content])
    }
  }
}

function addLink(facts: PageMetadata, attributes: Record<string, string>): void {
  const { href, type } = attributes
  if (!href) return
  const isOembed = /^(?:application|text)\/(?:json|xml)\+oembed/i.exec(type ?? '')
  if (isOembed !== null) {
    // JSON is preferred to XML; the first of each wins.
    if (/json/i.test(isOembed[0])) {
      if (!facts.oembedIsJson) facts.oembed = href
      facts.oembedIsJson = true
    } else facts.oembed ??= href
    return
  }
  for (const rel of (attributes.rel ?? '').toLowerCase().split(/\s+/)) {
    if (rel !== '' && !facts.links.has(rel) && facts.links.size < 200) facts.links.set(rel, href)
  }
}
