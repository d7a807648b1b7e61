/** Parsing URLs that users and other sites wrote. */
import * as limits from './limits.ts'

/** The length of a host name with a port. */
const authorityMax = limits.hostMax + ':65535'.length

/**
 * Returns the parsed URL, or null if the text is not a URL or its host is longer than a host name can be. The length is
 * checked first, because converting an international host name to ASCII takes time quadratic in its length: 5,000
 * Chinese characters take 70 ms.
 * @param base the URL that a relative one refers to
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  // Parsers ignore these characters anywhere, and spaces and control characters at the start.
  const bare = text.replace(/[\t\n\r]/g, '')
  const authority = /^[^!-\uffff]*(?:[a-z][a-z\d+.-]*:)?[\\/]*([^\\/?#]*)/i.exec(bare)?.[1] ?? ''
  if (authority.length > authorityMax) return null
  return URL.canParse(bare, base) ? new URL(bare, base) : null
}

/** Returns whether the text is an absolute http or https URL with a host and without credentials (format `http-url`). */
export function isHttpUrl(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null
  if (url === null) return false
  const isHost = url.hostname !== '' && url.hostname.length <= limits.hostMax
  return isHost && url.username === '' && url.password === ''
}
