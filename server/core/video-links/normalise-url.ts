import { hostMax } from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'

/** Tracking parameters of any site. Sources: the vendors' documentation. */
const trackingEverywhere =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|ysclid|twclid|ttclid|igshid|igsh|li_fat_id|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|hsctatracking|_openstat|oly_(?:anon|enc)_id|vero_(?:conv|id)|rb_clickid|s_cid|wickedid|srsltid|_branch_match_id|mibextid|rdid|share_url|_ga|_gl)$/i

/** Tracking parameters of specific sites. On other sites, such short names may have a meaning. */
const trackingBySite: readonly (readonly [host: RegExp, name: RegExp])[] = [
  [
    /(?:^|\.)(?:youtube\.com|youtu\.be|youtube-nocookie\.com)$/,
    /^(?:si|feature|pp|ab_channel|app|embeds_\w+|source_ve_path)$/,
  ],
  [/(?:^|\.)(?:twitter|x)\.com$/, /^(?:s|t|ref_src|ref_url|cxt)$/],
  [
    /(?:^|\.)tiktok\.com$/,
    /^(?:_[dtr]|is_from_webapp|is_copy_url|sender_device|sender_web_id|share_\w+|web_id|u_code|refer|embed_source|referer_\w+|q|lang)$/,
  ],
  [/(?:^|\.)instagram\.com$/, /^(?:hl|utm_\w+|img_index)$/],
  [/(?:^|\.)facebook\.com$/, /^(?:__\w.*|ref|refsrc|fref|pnref|extid|notif_\w+|hc_\w+|paipv|eav|locale|d)$/],
  [
    /(?:^|\.)bilibili\.com$/,
    /^(?:spm_id_from|vd_source|share_\w+|from(?:_\w+)?|seid|bbid|ts|unique_k|plat_id|buvid|mid|timestamp)$/,
  ],
  [/(?:^|\.)reddit\.com$/, /^(?:share_id|ref|ref_source|context|rdt)$/],
  [/(?:^|\.)vimeo\.com$/, /^(?:share|fl|fe|turnstile)$/],
  [/(?:^|\.)dailymotion\.com$/, /^(?:from|playlist)$/],
  [/(?:^|\.)imdb\.com$/, /^ref_$/],
  [/(?:^|\.)rumble\.com$/, /^(?:e9s|mref|mc|mrefc)$/],
  [/(?:^|\.)(?:twitch\.tv)$/, /^(?:tt_\w+|filter|sort|sr)$/],
]

/**
 * Returns the normalised form of a link: scheme and host in lower case, no default port, no fragment (unless it is a
 * route, `#/…` or `#!…`) and no tracking parameters. The rest keeps its order and encoding, which matter to some sites.
 *
 * @param text a link as a user pastes it, possibly with surrounding white space or without a scheme
 * @returns an absolute http or https URL, or null if the text is no link or contains credentials; never throws
 */
export function normaliseUrl(text: string): string | null {
  const absolute = withScheme(text.trim())
  const url = absolute === null ? null : parseUrl(absolute)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  if (url.hostname === '' || url.hostname.length > hostMax) return null
  if (url.username !== '' || url.password !== '') return null

  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/(?<!\.)\.+$/, '')
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isTracking(url.hostname, pair.split('=', 1)[0] ?? ''))
  // The question mark is explicit, because a query may itself start with one.
  url.search = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  if (!/^#[!/]./.test(url.hash)) url.hash = ''
  return url.href
}

function withScheme(text: string): string | null {
  if (/^https?:/i.test(text)) return text
  if (text.startsWith('//')) return `https:${text}`
  // A name with a dot, followed by the end, a port or a path: `youtube.com/watch?v=…`, but not `javascript:…`.
  if (/^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}[\p{L}\p{N}-]*(?::\d+)?(?:[/?#]|$)/u.test(text))
    return `https://${text}`
  return null
}

function isTracking(host: string, name: string): boolean {
  if (trackingEverywhere.test(name)) return true
  return trackingBySite.some(([site, names]) => site.test(host) && names.test(name))
}
