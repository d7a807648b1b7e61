/** Finds the videos that a web page shows or links to, and its feed. */
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { tokenizeLongHtml } from '../../../core/html-tokenizer.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { createYield } from '../../../core/yield.ts'
import type { RawItem } from '../formats/imported-item.ts'

export interface PageVideos {
  title: string
  items: RawItem[]
  /** The first feed that the page names, or null. */
  feedUrl: string | null
}

/** Links and frames of a page that are looked at, and characters of their texts. */
const maxLinks = 20_000
const maxText = 1000

interface FoundLink {
  href: string
  text: string
}

/** @param url the address of the page, to which links can be relative */
export async function readPageVideos(html: string, url: string): Promise<PageVideos> {
  const links: FoundLink[] = []
  let title = ''
  let base = url
  let feedUrl: string | null = null
  let isInTitle = false
  let current: FoundLink | null = null
  const add = (href: string | undefined): FoundLink | null => {
    if (href === undefined || href === '' || links.length === maxLinks) return null
    const link = { href, text: '' }
    links.push(link)
    return link
  }
  await tokenizeLongHtml(html, {
    open(tag, attributes) {
      if (tag === 'base') base = parseUrl(attributes.href ?? '', url)?.href ?? base
      else if (tag === 'title') isInTitle = title === ''
      else if (tag === 'link') feedUrl ??= feedOf(attributes)
      else if (tag === 'a') current = add(attributes.href)
      else if (tag === 'iframe') add(attributes.src ?? attributes['data-src'] ?? attributes['data-lazy-src'])
      else if (tag === 'video' || tag === 'source')
        add(isVideoFile(attributes.src) ? attributes.src : undefined)
      else if (tag === 'img' && current !== null && current.text === '') current.text = attributes.alt ?? ''
    },
    close(tag) {
      if (tag === 'title') isInTitle = false
      if (tag === 'a') current = null
    },
    text(piece) {
      if (isInTitle && title.length < maxText) title += piece
      if (current !== null && current.text.length < maxText) current.text += piece
    },
  })
  return {
    title: title.trim(),
    items: await findVideos(links, base),
    feedUrl: feedUrl === null ? null : (parseUrl(feedUrl, base)?.href ?? null),
  }
}

function feedOf({ rel = '', type = '', href = null }: { rel?: string; type?: string; href?: string | null }) {
  return /\balternate\b/i.test(rel) && /^application\/(?:rss\+xml|atom\+xml|feed\+json)/i.test(type)
    ? href
    : null
}

function isVideoFile(link: string | undefined): boolean {
  return /\.(?:mp4|m4v|webm|ogv|mov)(?:$|[?#])/i.test(link ?? '')
}

/** Returns the links that lead to videos, each video once with the first text that a link to it has. */
async function findVideos(links: readonly FoundLink[], base: string): Promise<RawItem[]> {
  const found = new Map<string, { url: string; title: string }>()
  const letOthersRun = createYield()
  for (const { href, text } of links) {
    await letOthersRun()
    const absolute = parseUrl(href, base)?.href
    if (absolute === undefined || !/^https?:/.test(absolute)) continue
    const url = recogniseVideo(absolute)?.canonical_url ?? (isVideoFile(absolute) ? absolute : null)
    if (url === null) continue
    const title = text.replace(/\s+/g, ' ').trim()
    const known = found.get(url)
    if (known === undefined) found.set(url, { url, title })
    else known.title ||= title
  }
  return [...found.values()]
}
