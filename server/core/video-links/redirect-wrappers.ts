import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'

/**
 * Pages that only lead to another one: host, path, and the parameter that holds the target. Redirects of sites, players of
 * embedding services, login, consent and share pages, oEmbed requests.
 */
const wrappers: readonly (readonly [host: RegExp, path: RegExp, parameter: string])[] = [
  [/(?:^|\.)youtube\.com$/, /^\/attribution_link$/, 'u'],
  [/(?:^|\.)youtube\.com$/, /^\/redirect$/, 'q'],
  [/(?:^|\.)youtube\.com$/, /^\/signin$/, 'next'],
  [/(?:^|\.)youtube\.com$/, /^\/(?:supported_browsers|verify_age|verify_controversy)$/, 'next_url'],
  [/(?:^|\.)youtube\.com$/, /^\/(?:verify_age|verify_controversy)$/, 'next'],
  [/^consent\.(?:youtube|google)\.[a-z.]+$/, /^\/(?:m|ml|d|save)$/, 'continue'],
  [/^accounts\.(?:google|youtube)\.[a-z.]+$/, /^\//, 'continue'],
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/(?:url|imgres)$/, 'url'],
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/url$/, 'q'],
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/imgres$/, 'imgrefurl'],
  [/^translate\.google\.[a-z.]{2,6}$/, /^\/translate$/, 'u'],
  [/(?:^|\.)facebook\.com$/, /^\/(?:v\d+\.\d+\/)?plugins\/(?:video|post)(?:\.php)?$/, 'href'],
  [/(?:^|\.)facebook\.com$/, /^\/(?:l\.php|flx\/warn\/?)$/, 'u'],
  [/(?:^|\.)facebook\.com$/, /^\/sharer(?:\/sharer)?\.php$/, 'u'],
  [/(?:^|\.)facebook\.com$/, /^\/(?:login|checkpoint)/, 'next'],
  [/^l\.(?:instagram|messenger|threads)\.(?:com|net)$/, /^\/$/, 'u'],
  [/(?:^|\.)(?:instagram|threads)\.(?:com|net)$/, /^\/(?:accounts\/)?login/, 'next'],
  [/(?:^|\.)tiktok\.com$/, /^\/login/, 'redirect_url'],
  [/(?:^|\.)tiktok\.com$/, /^\/link\/v2$/, 'target'],
  [/(?:^|\.)(?:twitter|x)\.com$/, /^\/(?:i\/flow\/)?login$/, 'redirect_after_login'],
  [/(?:^|\.)(?:twitter|x)\.com$/, /^\/(?:intent\/(?:tweet|post)|share|i\/redirect)$/, 'url'],
  [/^publish\.(?:twitter|x)\.com$/, /^\/(?:oembed)?$/, 'url'],
  [/^publish\.(?:twitter|x)\.com$/, /^\/$/, 'query'],
  [/(?:^|\.)reddit\.com$/, /^\/login\/?$/, 'dest'],
  [/(?:^|\.)reddit\.com$/, /^\/(?:submit|media)$/, 'url'],
  [/^out\.reddit\.com$/, /^\//, 'url'],
  [/(?:^|\.)linkedin\.com$/, /^\/(?:authwall|signup)/, 'sessionRedirect'],
  [
    /(?:^|\.)linkedin\.com$/,
    /^\/(?:sharing\/share-offsite\/?|shareArticle|redir\/redirect|safety\/go)$/,
    'url',
  ],
  [/(?:^|\.)pinterest\.[a-z.]{2,6}$/, /^\/pin\/create\//, 'url'],
  [/(?:^|\.)vk\.(?:com|ru)$/, /^\/away\.php$/, 'to'],
  [/(?:^|\.)vk\.(?:com|ru)$/, /^\/share\.php$/, 'url'],
  [/^(?:t|telegram)\.me$/, /^\/(?:share\/url|iv)$/, 'url'],
  [/^t\.umblr\.com$/, /^\/redirect$/, 'z'],
  [/(?:^|\.)tumblr\.com$/, /^\/(?:safe-mode|share\/link\/?)$/, 'url'],
  [/^(?:www\.)?duckduckgo\.com$/, /^\/l\/$/, 'uddg'],
  [/^slack-redir\.net$/, /^\/link$/, 'url'],
  [/^steamcommunity\.com$/, /^\/linkfilter\/?$/, 'url'],
  [/^steamcommunity\.com$/, /^\/linkfilter\/?$/, 'u'],
  [/^(?:link|www)\.zhihu\.com$/, /^\/$/, 'target'],
  [/^passport\.(?:bilibili|weibo)\.com$/, /^\//, 'gourl'],
  [/^passport\.weibo\.com$/, /^\//, 'url'],
  [/^sso\.(?:passport\.yandex|dzen)\.ru$/, /^\//, 'retpath'],
  [/\.safelinks\.protection\.outlook\.com$/, /^\//, 'url'],
  [/^(?:exit\.sc|gate\.sc)$/, /^\/$/, 'url'],
  [/^disq\.us$/, /^\/url$/, 'url'],
  [/^(?:go\.skimresources|go\.redirectingat|redirect\.viglink)\.com$/, /^\/$/, 'url'],
  [/^redirect\.viglink\.com$/, /^\/$/, 'u'],
  [/^getpocket\.com$/, /^\/redirect$/, 'url'],
  [/^cdn\.embedly\.com$/, /^\/widgets\/media\.html$/, 'url'],
  [/^cdn\.embedly\.com$/, /^\/widgets\/media\.html$/, 'src'],
  [/^(?:api|i)\.embed\.ly$/, /^\//, 'url'],
  [/^(?:cdn\.)?iframe\.ly$/, /^\/(?:api\/)?(?:iframe|oembed|iframely)$/, 'url'],
  [/^noembed\.com$/, /^\/embed$/, 'url'],
  [/^w\.soundcloud\.com$/, /^\/player\/?$/, 'url'],
  [/(?:^|\.)mixcloud\.com$/, /^\/widget\/iframe\/?$/, 'feed'],
  [/(?:^|\.)arte\.tv$/, /^\/player\//, 'json_url'],
  // The oEmbed endpoints of all hosts.
  [/./, /\/oembed(?:\.json|\.xml|\/)?$/i, 'url'],
]

/** Pages that contain the target in their path: Google's and Cloudflare's copies of AMP pages. */
const pathWrappers: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/amp\/(?:s\/)?(.+)$/],
  [/\.cdn\.ampproject\.org$/, /^\/[a-z]\/(?:s\/)?(.+)$/],
]

/** Returns the target of a redirecting link, or the link itself. Also skips consent and login pages. */
export function unwrapLink(url: URL): URL {
  let current = url
  // Nested wrappers occur, but long chains are only made to cause work.
  for (let depth = 0; depth < 5; depth++) {
    const inner = findTarget(current)
    const next = inner === null ? null : parseUrl(inner, current)
    if (next === null || !/^https?:$/.test(next.protocol)) return current
    current = next
  }
  return current
}

/** Returns the target of a redirecting link, absolute if it is a path; null for other links. */
export function readTarget(url: URL): string | null {
  const target = findTarget(url)
  return target?.startsWith('/') && !target.startsWith('//') ? url.origin + target : target
}

function findTarget(url: URL): string | null {
  for (const [host, path] of pathWrappers) {
    const target = host.test(url.hostname) ? path.exec(url.pathname)?.[1] : undefined
    if (target !== undefined) return `https://${target}${url.search}`
  }
  for (const [host, path, parameter] of wrappers) {
    if (!host.test(url.hostname) || !path.test(url.pathname)) continue
    const target = url.searchParams.get(parameter)
    if (target !== null && target !== '') return target
  }
  // href.li and its like: the target is the whole query.
  if (/^(?:href\.li|anonym\.to|nullrefer\.com)$/.test(url.hostname)) return url.search.slice(1) || null
  return null
}
