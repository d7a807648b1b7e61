import { isIP } from 'node:net'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

/** Longer than what people may paste (2,048), because redirects carry long queries. */
const maxUrlLength = 4096

const webPorts = new Set(['80', '443'])

/** Names that only resolve inside a network, and of overlay networks that are none of ours. */
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
 * A host and port exempt from the address and port rules (setting OUTBOUND_ALLOW), e.g. `localhost:9000`.
 * Compared as `new URL` writes hosts, without the brackets of IPv6.
 */
export type AllowList = ReadonlySet<string>

/**
 * The list as it is set: `host:port` pairs apart by commas or spaces, IPv6 in brackets.
 * @throws {Error} with one clear line for a pair that is none.
 */
export function parseAllowList(pairs: string | readonly string[]): AllowList {
  const list = typeof pairs === 'string' ? pairs.split(/[\s,]+/).filter((pair) => pair !== '') : pairs
  return new Set(
    list.map((pair) => {
      const port = /:(\d{1,5})$/.exec(pair)?.[1]
      // Through a scheme without a default port, so that `:80` is not dropped.
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

/** The port really meant: `new URL` writes the scheme's own as ''. */
export function effectivePort(url: URL): string {
  if (url.port !== '') return url.port
  return url.protocol === 'https:' ? '443' : '80'
}

/** Host without IPv6 brackets and without the root's dot. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Reads and checks one hop's URL. All checks are on what the parser made of it, never on the raw text, because two
 * readings of one text are how guards are passed by (`http://127.0.0.1\@example.com/`).
 *
 * @param base the URL that redirected here, for relative Location headers
 * @throws {OutboundError} bad-url, scheme, credentials, port, not-public
 */
export function checkUrl(text: string, allow: AllowList, base?: URL): URL {
  if (text.length > maxUrlLength || !URL.canParse(text, base)) throw new OutboundError('bad-url')
  const url = new URL(text, base)
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
  if (
    !host.includes('.') ||
    blockedSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
  ) {
    throw new OutboundError('not-public')
  }
  return url
}

/** RFC 1035's lengths; underscores are in real use. */
function isDnsName(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}
