interface PageHeadInput {
  /** Without the site's name, which is appended; null for the site's name and description. */
  title: string | null
  description: string
  /** Without a trailing slash. */
  publicUrl: string
  /** The canonical path of this page: `/explore?page=2`. */
  path: string
  /** The picture for link previews, as a path on this site. */
  image?: string | null | undefined
  /** `og:type`. */
  type?: string
  /** Adds the Restricted to Adults label, which parental filters and search engines read. */
  adult?: boolean
  /** Search engines may follow the links but not index the page. */
  unlisted?: boolean
}

/** The preview image of pages without a picture. */
const defaultImage = '/icon-512.png'

/** Returns the text cut at a word, with at most `maxLength` characters. */
export function truncate(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= maxLength) return line
  return `${line.slice(0, maxLength - 1).replace(/ \S*$/, '')}…`
}

/** Returns the head of a page: title, description, canonical address, and previews for Open Graph and Twitter. */
export function pageHead({
  title,
  description,
  publicUrl,
  path,
  image,
  type = 'website',
  adult = false,
  unlisted = false,
}: PageHeadInput) {
  const fullTitle =
    title === null ? 'Reelmark: save, organise and share videos from anywhere' : `${title} · Reelmark`
  const url = publicUrl + path
  const text = truncate(description, 200)
  const picture = image === null || image === undefined ? null : new URL(image, publicUrl).href
  return {
    meta: [
      { title: fullTitle },
      { name: 'description', content: text },
      { property: 'og:title', content: title ?? fullTitle },
      { property: 'og:description', content: text },
      { property: 'og:type', content: type },
      { property: 'og:url', content: url },
      { property: 'og:image', content: picture ?? new URL(defaultImage, publicUrl).href },
      { name: 'twitter:card', content: picture === null ? 'summary' : 'summary_large_image' },
      { name: 'twitter:title', content: title ?? fullTitle },
      { name: 'twitter:description', content: text },
      { name: 'twitter:image', content: picture ?? new URL(defaultImage, publicUrl).href },
      ...(adult ? [{ name: 'rating', content: 'RTA-5042-1996-1400-1577-RTA' }] : []),
      ...(unlisted ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    ],
    links: [{ rel: 'canonical', href: url }],
  }
}
