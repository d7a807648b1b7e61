import { lookup as lookupBySystem, Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { type AllowList, isAllowed } from './check-url.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

/** Returns all addresses of a name, or [] if it has none. May throw. */
export type Lookup = (host: string) => Promise<string[]>

/** Time limit in milliseconds for each of DNS lookup, connecting and the TLS handshake. */
export const connectMs = 3000

/**
 * Queries the name servers directly for both address families. Not getaddrinfo, which blocks one of Node's four worker
 * threads for as long as a malicious name server delays, and reads internal names from /etc/hosts.
 */
export async function lookupByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  const [ipv6, ipv4] = await Promise.allSettled([resolver.resolve6(host), resolver.resolve4(host)])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  return [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/**
 * Returns the addresses of a host that may be connected to. If any address of a name is not public, the whole name is
 * refused, because a mix of both indicates an attack. Exempt hosts are not checked.
 *
 * @throws {OutboundError} unresolved, not-public, too-slow
 */
export async function resolveChecked(
  host: string,
  port: string | number,
  options: { allow: AllowList; lookup: Lookup },
): Promise<string[]> {
  const exempt = isAllowed(options.allow, host, port)
  if (isIP(host) !== 0) {
    if (!exempt && !isPublicAddress(host)) throw new OutboundError('not-public')
    return [host]
  }
  const lookup = exempt
    ? lookupBySystem(host, { all: true }).then((answers) => answers.map(({ address }) => address))
    : options.lookup(host)
  const addresses = await withTimeout(connectMs, lookup).catch((cause: unknown) => {
    throw cause instanceof OutboundError ? cause : new OutboundError('unresolved', { cause })
  })
  if (addresses.length === 0) throw new OutboundError('unresolved')
  if (!exempt && !addresses.every(isPublicAddress)) throw new OutboundError('not-public')
  return addresses
}

/**
 * Returns a connector for undici that connects only to checked addresses and checks the remote address again before
 * sending anything (TLS or HTTP). undici's `lookup` option does not protect, because it is not called for IP addresses.
 */
export function guardedConnector(options: { allow: AllowList; lookup: Lookup }): buildConnector.connector {
  return ({ hostname, protocol, port, servername }, callback) => {
    const realPort = Number(port) || (protocol === 'https:' ? 443 : 80)
    connectChecked(hostname.replace(/\.$/, ''), realPort, options)
      .then((socket) =>
        protocol === 'https:' ? startTls(socket, servername ?? hostname.replace(/\.$/, '')) : socket,
      )
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
  }
}

/**
 * Connects to a checked address of a host.
 * @throws {OutboundError} unresolved, not-public, too-slow, unreachable
 */
export async function connectChecked(
  host: string,
  port: number,
  options: { allow: AllowList; lookup: Lookup },
): Promise<Socket> {
  const addresses = await resolveChecked(host, port, options)
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  // The addresses are already resolved; Node chooses among them (RFC 8305) without another lookup.
  const lookup: LookupFunction = (_host, { all }, done) => {
    const [first = { address: '', family: 0 }] = answers
    if (all) done(null, answers)
    else done(null, first.address, first.family)
  }
  const socket = connectTcp({ host, port, lookup, autoSelectFamily: true, noDelay: true })
  await waitForSocketEvent(socket, 'connect')
  const exempt = isAllowed(options.allow, host, port)
  if (!exempt && !isPublicAddress(socket.remoteAddress ?? '')) {
    socket.destroy()
    throw new OutboundError('not-public')
  }
  return socket
}

async function startTls(socket: Socket, host: string): Promise<Socket> {
  const secure = connectTls({
    socket,
    // RFC 6066 allows no server name for an IP address. The certificate is checked against `host` in both cases.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ALPNProtocols: ['http/1.1'],
  })
  await waitForSocketEvent(secure, 'secureConnect')
  return secure
}

/** Waits for an event of the socket. Destroys the socket on error and after `connectMs`. */
function waitForSocketEvent(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new OutboundError('too-slow')), connectMs)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new OutboundError('unreachable'))
    })
    // Not removed, because an error after connecting, which undici reports, would otherwise end the process.
    socket.on('error', reject)
    socket.once(event, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new OutboundError('too-slow')), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
