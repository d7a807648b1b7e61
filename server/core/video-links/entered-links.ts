/** Checks the links of players, pictures and lists that users and moderators enter. */
import { isIP } from 'node:net'
import { storedUrlMax, urlMax } from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { InvalidFields } from '../http/errors.ts'
import { bareHost, isDnsName } from '../outbound/check-url.ts'
import { normaliseUrl } from './normalise-url.ts'
import { isSameProvider, recogniseVideo } from './recognise-video.ts'

/**
 * Returns the link of a player as it is stored; null for a blank one.
 * @param ownHosts host names of this site: a player on our own origin could steal the visitor's token
 * @throws InvalidFields at `embed_url` for a player that is not https or is on this site
 */
export function playerLink(link: string | null, ownHosts: readonly string[]): string | null {
  if (link === null || link === '') return null
  const known = recogniseVideo(link)
  if (known?.embed_url) return known.embed_url
  const refuse = (text: string) => new InvalidFields({ embed_url: [text] })
  const normal = normaliseUrl(link)
  if (normal === null) throw refuse('Enter a valid URL.')
  if (normal.length > storedUrlMax) throw refuse('This link is too long.')
  const url = new URL(normal)
  if (url.protocol !== 'https:') throw refuse('The embed URL must start with https://.')
  if (!isDnsName(bareHost(url))) throw refuse('The embed URL must have a host name.')
  if (ownHosts.includes(url.hostname)) throw refuse('The embed URL must be of another site.')
  return normal
}

/** Returns the address of a list or feed as it is stored. @throws InvalidFields at `url` if it is no link or too long */
export function listLink(link: string): string {
  const url = normaliseUrl(link)
  if (url === null) throw new InvalidFields({ url: ['Enter a valid URL.'] })
  if (url.length > storedUrlMax) throw new InvalidFields({ url: ['This link is too long.'] })
  return url
}

/** Returns the link of a picture as it is stored: as submitted, except that `HTTPS:` becomes lower case; null if blank. */
export function pictureLink(link: string | null): string | null {
  return link?.replace(/^https?:/i, (scheme) => scheme.toLowerCase()) || null
}

/**
 * Returns the link to the page of an uploader as it is stored; null if it is not https, too long, has a port or credentials, or is not at
 * the host of the video: the same name, a subdomain of it, the domain of which it is one, or another domain of a known host.
 */
export function uploaderLink(link: string | null, sourceUrl: string): string | null {
  const url = parseUrl(link ?? '')
  const source = parseUrl(sourceUrl)
  if (url === null || source === null || url.protocol !== 'https:' || url.href.length > urlMax) return null
  if (url.username !== '' || url.password !== '' || url.port !== '') return null
  const [host, videoHost] = [siteName(url), siteName(source)]
  const isSameSite =
    host === videoHost ||
    host.endsWith(`.${videoHost}`) ||
    (host.includes('.') && videoHost.endsWith(`.${host}`)) ||
    isSameProvider(host, videoHost)
  return isSameSite ? url.href : null
}

function siteName({ hostname }: URL): string {
  return hostname.replace(/^(?:www|m|mobile)\./, '')
}

/** Returns the host names of this site. */
export function ownHosts(publicUrl: string): string[] {
  const host = new URL(publicUrl).hostname
  return isIP(host) === 0 && host.includes('.') ? [host, `www.${host}`, 'localhost'] : [host, 'localhost']
}
