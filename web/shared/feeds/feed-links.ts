/** The feeds with the same list as a page, as links in its head. */
import type { HeadLink } from '../pages/machine-head.ts'

const formats = ['atom', 'rss', 'json'] as const

/** Returns the address of a feed with the same list as a page: `/explore?tag=sea` → `/explore/feed.atom?tag=sea`. */
export function feedAddress(page: string, format: (typeof formats)[number]): string {
  return page.replace(/\?|$/, (query) => `/feed.${format}${query}`)
}

export function feedLinks(page: string, title: string): Required<HeadLink>[] {
  return formats.map((format) => ({
    rel: 'alternate',
    type: `application/${format === 'json' ? 'feed+json' : `${format}+xml`}`,
    title,
    href: feedAddress(page, format),
  }))
}
