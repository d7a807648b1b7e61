/** Pages that only lead to another page: `host/path` and the parameter that holds where to. */
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

/** What a link leads to where its own address says so; else the link itself. Consent and login pages are passed by. */
export function unwrapLink(url: URL): URL {
  let current = url
  // A wrapper in a wrapper happens; a chain of them is somebody playing.
  for (let depth = 0; depth < 3; depth++) {
    const inner = wrappers
      .filter(([host, path]) => host.test(current.hostname) && path.test(current.pathname))
      .map(([, , parameter]) => current.searchParams.get(parameter))
      .find((value) => value !== null && value !== '')
    if (inner === undefined || inner === null || !URL.canParse(inner, current)) return current
    const next = new URL(inner, current)
    if (!/^https?:$/.test(next.protocol)) return current
    current = next
  }
  return current
}
