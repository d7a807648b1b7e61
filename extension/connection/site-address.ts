/** The address of the user's site, as entered in the options. */
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'

/** Returns the origin of an entered address, or null if it is not one. Without a scheme, https is used. */
export function parseSiteAddress(text: string): string | null {
  const trimmed = text.trim()
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (!isHttpUrl(url)) return null
  const { hostname, origin } = new URL(url)
  // Chromium accepts spaces in a name, and writes them as %20.
  return /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(hostname) ? origin : null
}

/** Returns the permission for a site. Firefox accepts no port in it. */
export function hostPermission(site: string): string {
  const { protocol, hostname } = new URL(site)
  return `${protocol}//${hostname}/*`
}

/** Returns whether what is sent to the site can be read on the way. */
export function isUnencrypted(site: string): boolean {
  const { protocol, hostname } = new URL(site)
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
