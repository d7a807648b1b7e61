/** The formats of feeds: Atom (RFC 4287), RSS 2.0 with Media RSS and Dublin Core, and JSON Feed 1.1. */
import { type Markup, markup, withoutForbiddenCharacters, xmlDocument } from '../../../core/http/markup.ts'
import type { Feed, FeedEntry } from './feed.ts'

/** Each format by the ending of its addresses. */
export const feedFormats = {
  atom: { type: 'application/atom+xml; charset=utf-8', write: writeAtom },
  rss: { type: 'application/rss+xml; charset=utf-8', write: writeRss },
  json: { type: 'application/feed+json; charset=utf-8', write: writeJsonFeed },
} as const

export type FeedFormat = keyof typeof feedFormats

function writeAtom(feed: Feed): string {
  return xmlDocument(markup`
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<id>${feed.pageUrl}</id>
<title>${feed.title}</title>
<subtitle>${feed.description}</subtitle>
<updated>${feed.updatedAt.toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${feed.selfUrl}"/>${feed.hubUrl && markup`\n<link rel="hub" href="${feed.hubUrl}"/>`}
<link rel="alternate" type="text/html" href="${feed.pageUrl}"/>
<generator>Reelmark</generator>${feed.entries.map(atomEntry)}
</feed>`)
}

function atomEntry(entry: FeedEntry): Markup {
  return markup`
<entry>
<id>${entry.url}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.url}"/>
<link rel="related" href="${entry.sourceUrl}"/>
<published>${entry.publishedAt.toISOString()}</published>
<updated>${entry.updatedAt.toISOString()}</updated>
<author><name>${entry.author}</name><uri>${entry.authorUrl}</uri></author>${entry.tags.map(
    (tag) => markup`\n<category term="${tag}"/>`,
  )}
<summary>${entry.summary}</summary>${mediaElements(entry)}
</entry>`
}

function writeRss(feed: Feed): string {
  return xmlDocument(markup`
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${feed.title}</title>
<link>${feed.pageUrl}</link>
<description>${feed.description}</description>
<lastBuildDate>${feed.updatedAt.toUTCString()}</lastBuildDate>
<generator>Reelmark</generator>
<atom:link rel="self" type="application/rss+xml" href="${feed.selfUrl}"/>${feed.hubUrl && markup`\n<atom:link rel="hub" href="${feed.hubUrl}"/>`}${feed.entries.map(rssItem)}
</channel>
</rss>`)
}

function rssItem(entry: FeedEntry): Markup {
  // Readers show descriptions as HTML, so the text is escaped twice.
  const { markup: summary } = markup`${entry.summary}`
  return markup`
<item>
<title>${entry.title}</title>
<link>${entry.url}</link>
<guid isPermaLink="true">${entry.url}</guid>
<pubDate>${entry.publishedAt.toUTCString()}</pubDate>
<dc:creator>${entry.author}</dc:creator>${entry.tags.map((tag) => markup`\n<category>${tag}</category>`)}
<description>${summary}</description>${mediaElements(entry)}
</item>`
}

function mediaElements({ thumbnailUrl, isAdult }: FeedEntry): Markup {
  const thumbnail = thumbnailUrl === null ? null : markup`\n<media:thumbnail url="${thumbnailUrl}"/>`
  const rating = isAdult ? markup`\n<media:rating scheme="urn:simple">adult</media:rating>` : null
  return markup`${thumbnail}${rating}`
}

function writeJsonFeed(feed: Feed): string {
  const clean = withoutForbiddenCharacters
  const author = ({ author, authorUrl }: FeedEntry) => ({ name: author, url: authorUrl })
  return `${JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: clean(feed.title),
    description: clean(feed.description),
    home_page_url: feed.pageUrl,
    feed_url: feed.selfUrl,
    ...(feed.hubUrl === null ? {} : { hubs: [{ type: 'WebSub', url: feed.hubUrl }] }),
    items: feed.entries.map((entry) => ({
      id: entry.url,
      url: entry.url,
      external_url: entry.sourceUrl,
      title: clean(entry.title),
      content_text: clean(entry.summary),
      ...(entry.thumbnailUrl === null ? {} : { image: entry.thumbnailUrl }),
      date_published: entry.publishedAt.toISOString(),
      date_modified: entry.updatedAt.toISOString(),
      authors: [author(entry)],
      ...(entry.tags.length === 0 ? {} : { tags: entry.tags.map(clean) }),
      ...(entry.isAdult ? { _reelmark: { adult: true } } : {}),
    })),
  })}\n`
}
