import { isIP } from 'node:net'
import { hostMax } from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

/** Longer than the 2,048 characters that users may enter, because redirects have long queries. */
const maxUrlLength = 4096

const webPorts = new Set(['80', '443'])

/** Names that resolve only inside a network, or in overlay networks. */
const blockedSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'onion',
  'i2p',
]

/**
 * Hosts with port that are exempt from the address and port rules (setting OUTBOUND_ALLOW), e.g. `localhost:9000`.
 * Compared with the host as `new URL` normalises it, without the brackets of IPv6.
 */
export type AllowList = ReadonlySet<string>

/**
 * Parses an allow list: `host:port` pairs separated by commas or spaces, with IPv6 addresses in brackets.
 * @throws {Error} with a one-line message for an invalid pair
 */
export function parseAllowList(pairs: string | readonly string[]): AllowList {
  const list = typeof pairs === 'string' ? pairs.split(/[\s,]+/).filter((pair) => pair !== '') : pairs
  return new Set(
    list.map((pair) => {
      const port = /:(\d{1,5})$/.exec(pair)?.[1]
      // The port is read from the text, because `new URL` drops the default port 80.
      const host = URL.canParse(`http://${pair}/`) ? new URL(`http://${pair}/`) : null
      if (host === null || port === undefined || host.username !== '' || host.pathname !== '/') {
        throw new Error(`'${pair}' is not a host:port pair`)
      }
      return `${bareHost(host)}:${Number(port)}`
    }),
  )
}

export function isAllowed(allow: AllowList, host: string, port: string | number): boolean {
  return allow.has(`${host.replace(/^\[|\]$/g, '').replace(/\.$/, '')}:${port}`)
}

/** Returns the port of a URL, including the default port, for which `new URL` returns ''. */
export function effectivePort(url: URL): string {
  if (url.port !== '') return url.port
  return url.protocol === 'https:' ? '443' : '80'
}

/** Returns the host without IPv6 brackets and without a trailing dot. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Parses and checks the URL of one hop. All checks use the parsed URL, never the raw text, because guards are bypassed
 * when two parsers read the same text differently (`http://127.0.0.1\@example.com/`).
 *
 * @param base the URL that redirected here, for relative Location headers
 * @throws {OutboundError} bad-url, scheme, credentials, port, not-public
 */
export function checkUrl(text: string, allow: AllowList, base?: URL): URL {
  const url = text.length > maxUrlLength ? null : parseUrl(text, base)
  if (url === null) throw new OutboundError('bad-url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundError('scheme')
  if (url.href.length > maxUrlLength) throw new OutboundError('bad-url')
  if (url.username !== '' || url.password !== '') throw new OutboundError('credentials')

  const host = bareHost(url)
  if (isAllowed(allow, host, effectivePort(url))) return url
  if (!webPorts.has(effectivePort(url))) throw new OutboundError('port')
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw new OutboundError('not-public')
    return url
  }
  if (!isDnsName(host)) throw new OutboundError('bad-url')
  if (!isPublicDnsName(host)) throw new OutboundError('not-public')
  return url
}

/** Returns whether a host is a name that everyone can resolve: no address, and no name of an internal network. */
export function isPublicDnsName(host: string): boolean {
  if (!isDnsName(host) || !host.includes('.')) return false
  return !blockedSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
}

/**
 * Returns whether a host is a DNS name and not an address. Checks the lengths of RFC 1035; underscores are accepted
 * because real sites use them. `new URL` also accepts `;`, `*` and other characters that end a directive or match every
 * host in a Content-Security-Policy.
 */
export function isDnsName(host: string): boolean {
  if (host.length > hostMax || isIP(host) !== 0) return false
  return host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}
