/**
 * What feed readers and other sites read in the HTML of a page. Callers check `import.meta.env.SSR`, so that the browser does
 * not load it. After navigation, web/features/shell/background-effects.tsx removes these tags, and the components that link to
 * a feed add its links again (web/shared/feeds/feed-link.tsx).
 */
import type { pageHead } from './page-head.ts'

export interface HeadLink {
  rel: string
  href: string
  type?: string
  title?: string
}
interface Head {
  meta: ReturnType<typeof pageHead>['meta']
  links: HeadLink[]
}

/** Adds links to a head. */
function withLinks({ meta, links }: Head, more: HeadLink[]): Head {
  return { meta, links: [...links, ...more] }
}

/** Adds links to the feeds with the same list as a page: `/explore?tag=sea`. */
export function withFeedLinks(head: Head, page: string) {
  return withLinks(
    head,
    ['atom', 'rss', 'json'].map((format) => ({
      rel: 'alternate',
      type: `application/${format === 'json' ? 'feed+json' : `${format}+xml`}`,
      title: titleOf(head),
      // The address of the page with the format before its query.
      href: page.replace(/\?|$/, (query) => `/feed.${format}${query}`),
    })),
  )
}

/** Adds links to the oEmbed description of a page. */
export function withOembedLinks(head: Head, publicUrl: string, path: string) {
  const url = encodeURIComponent(publicUrl + path)
  return withLinks(
    head,
    ['json', 'xml'].map((format) => ({
      rel: 'alternate',
      type: `${format === 'json' ? 'application' : 'text'}/${format}+oembed`,
      title: titleOf(head),
      href: `${publicUrl}/oembed?url=${url}&format=${format}`,
    })),
  )
}

function titleOf({ meta }: Head): string {
  return meta.flatMap((tag) => ('title' in tag && tag.title) || [])[0] ?? ''
}

/** The size of a player whose video's size is not known. */
const defaultSize = { width: 1280, height: 720 }

/** Adds the tags with which Open Graph and Twitter show a player. */
export function withPlayer(
  { meta, links }: Head,
  video: { embed_url: string; width: number | null; height: number | null },
) {
  const { embed_url: url } = video
  const width = String(video.width ?? defaultSize.width)
  const height = String(video.height ?? defaultSize.height)
  const tags = [
    { property: 'og:video', content: url },
    { property: 'og:video:secure_url', content: url },
    { property: 'og:video:type', content: 'text/html' },
    { property: 'og:video:width', content: width },
    { property: 'og:video:height', content: height },
    { name: 'twitter:card', content: 'player' },
    { name: 'twitter:player', content: url },
    { name: 'twitter:player:width', content: width },
    { name: 'twitter:player:height', content: height },
  ]
  return { meta: [...meta.filter((tag) => !('name' in tag && tag.name === 'twitter:card')), ...tags], links }
}
