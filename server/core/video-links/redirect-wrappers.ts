import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'

/** Pages that only redirect: host, path, and the parameter that holds the target. */
const wrappers: readonly (readonly [host: RegExp, path: RegExp, parameter: string])[] = [
  [/(?:^|\.)youtube\.com$/, /^\/attribution_link$/, 'u'],
  [/(?:^|\.)youtube\.com$/, /^\/redirect$/, 'q'],
  [/(?:^|\.)youtube\.com$/, /^\/signin$/, 'next'],
  [/(?:^|\.)youtube\.com$/, /^\/oembed$/, 'url'],
  [/^consent\.(?:youtube|google)\.[a-z.]+$/, /^\/(?:m|ml)$/, 'continue'],
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/url$/, 'url'],
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/url$/, 'q'],
  [/(?:^|\.)facebook\.com$/, /^\/plugins\/(?:video|post)\.php$/, 'href'],
  [/(?:^|\.)facebook\.com$/, /^\/(?:l\.php|flx\/warn\/?)$/, 'u'],
  [/^l\.instagram\.com$/, /^\/$/, 'u'],
  [/^out\.reddit\.com$/, /^\//, 'url'],
  [/(?:^|\.)vk\.com$/, /^\/away\.php$/, 'to'],
  [/^t\.umblr\.com$/, /^\/redirect$/, 'z'],
  [/^(?:www\.)?duckduckgo\.com$/, /^\/l\/$/, 'uddg'],
  [/^slack-redir\.net$/, /^\/link$/, 'url'],
  [/^steamcommunity\.com$/, /^\/linkfilter\/?$/, 'url'],
  [/^cdn\.embedly\.com$/, /^\/widgets\/media\.html$/, 'url'],
  [/^cdn\.embedly\.com$/, /^\/widgets\/media\.html$/, 'src'],
]

/** Returns the target of a redirecting link, or the link itself. Also skips consent and login pages. */
export function unwrapLink(url: URL): URL {
  let current = url
  // Nested wrappers occur, but long chains are only made to cause work.
  for (let depth = 0; depth < 3; depth++) {
    const inner = wrappers
      .filter(([host, path]) => host.test(current.hostname) && path.test(current.pathname))
      .map(([, , parameter]) => current.searchParams.get(parameter))
      .find((value) => value !== null && value !== '')
    const next = inner === undefined || inner === null ? null : parseUrl(inner, current)
    if (next === null || !/^https?:$/.test(next.protocol)) return current
    current = next
  }
  return current
}
