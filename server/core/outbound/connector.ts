import { lookup as lookupBySystem, Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { type AllowList, isAllowed } from './check-url.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a name. May throw; [] means that there are none. */
export type Lookup = (host: string) => Promise<string[]>

/** Looking up, connecting and the TLS handshake each end after this. */
export const connectMs = 3000

/**
 * Asks the name servers directly, both families. Not getaddrinfo: that one blocks one of Node's four worker threads
 * for as long as a hostile name server likes, and reads /etc/hosts, where internal names are.
 */
export async function lookupByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  const [ipv6, ipv4] = await Promise.allSettled([resolver.resolve6(host), resolver.resolve4(host)])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  return [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/**
 * The addresses that may be connected to for a host: every one that it has, and none if any of them is not public
 * (a name that answers with both is an attack, not a site). Exempt hosts are taken as they are.
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
  const looked = exempt
    ? lookupBySystem(host, { all: true }).then((answers) => answers.map(({ address }) => address))
    : options.lookup(host)
  const addresses = await withTimeout(connectMs, looked).catch((cause: unknown) => {
    throw cause instanceof OutboundError ? cause : new OutboundError('unresolved', { cause })
  })
  if (addresses.length === 0) throw new OutboundError('unresolved')
  if (!exempt && !addresses.every(isPublicAddress)) throw new OutboundError('not-public')
  return addresses
}

/**
 * Connects for undici: to checked addresses alone, and says a word (TLS or HTTP) only after the address at the other
 * end was checked once more. undici's own `lookup` option is no guard: it is not called for address literals.
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

async function connectChecked(
  host: string,
  port: number,
  options: { allow: AllowList; lookup: Lookup },
): Promise<Socket> {
  const addresses = await resolveChecked(host, port, options)
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  // The addresses were looked up once, above; Node picks among them (RFC 8305) and asks nobody again.
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
    // RFC 6066: no server name for an address. The certificate is checked against `host` either way.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ALPNProtocols: ['http/1.1'],
  })
  await waitForSocketEvent(secure, 'secureConnect')
  return secure
}

/** Waits for the socket's event; destroys it on error and after `connectMs`. */
function waitForSocketEvent(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new OutboundError('too-slow')), connectMs)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new OutboundError('unreachable'))
    })
    // Stays for the socket's life: an error after connecting is undici's to report, and must not end the process.
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
