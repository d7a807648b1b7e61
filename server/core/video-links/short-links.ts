/** Links of services whose links lead to a video elsewhere, and which only a request resolves. */
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { recogniseVideo } from './recognise-video.ts'

/** Hosts of which every link is a short one. Sources: the share menus of the apps; lists of shorteners. */
const shortHosts = new Set([
  'vm.tiktok.com',
  'vt.tiktok.com',
  't.co',
  'redd.it',
  'fb.watch',
  'b23.tv',
  'bili2233.cn',
  'v.douyin.com',
  'v.kuaishou.com',
  'xhslink.com',
  'pin.it',
  'on.soundcloud.com',
  'vk.cc',
  'lnkd.in',
  'bit.ly',
  'tinyurl.com',
  'ow.ly',
  'is.gd',
  'v.gd',
  'buff.ly',
  'dlvr.it',
  'trib.al',
  'rb.gy',
  'cutt.ly',
  't.ly',
  'tiny.cc',
  'goo.gl',
  'clck.ru',
  'shorturl.at',
])

/** Share links on the host of the video itself. */
const sharePaths: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/(?:^|\.)tiktok\.com$/, /^\/t\/\w+/],
  [/(?:^|\.)reddit\.com$/, /^\/(?:r|u|user)\/[^/]+\/s\/\w+/],
  [/(?:^|\.)facebook\.com$/, /^\/share\/\w+/],
  [/(?:^|\.)instagram\.com$/, /^\/share\/\w+/],
]

/**
 * Returns whether a link must be requested to learn which video it leads to. Pages of other sites that redirect are not meant:
 * their owners can change where to.
 */
export function isShortLink(link: string): boolean {
  const url = parseUrl(link)
  if (url === null || recogniseVideo(link) !== null) return false
  const host = url.hostname.replace(/^www\./, '')
  return shortHosts.has(host) || sharePaths.some(([site, path]) => site.test(host) && path.test(url.pathname))
}
