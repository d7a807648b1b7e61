/**
 * An HTTP proxy on this machine for another program, whose connections thereby follow the rules of the outbound client:
 * it resolves each name itself and connects to the address that it checked, at every request and redirect.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Duplex, pipeline as pipelineWithCallback, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkUrl, parseAllowList } from './check-url.ts'
import { lookupByDns } from './connector.ts'
import { hideFailureDuration } from './hide-failure-duration.ts'
import { createHops } from './hops.ts'
import type { OutboundOptions } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'

/** How long a connection or request may last, in milliseconds. */
const connectionMs = 15_000
const maxConnectionBytes = 8 * 1024 * 1024
/** The limits of one proxy, which serves one run of a program. */
const maxTotalBytes = 24 * 1024 * 1024
const maxRequests = 60
const maxAtATime = 8

/** Headers about the connection to the proxy, which are not passed on (RFC 9110, section 7.6.1). */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export interface GuardedProxy {
  /** With the password, without which other users of the machine cannot use it. */
  url: string
  /** Ends all connections. */
  close(): Promise<void>
}

/** Opens a proxy on a free port of the loopback interface, with a password of its own. */
export async function openGuardedProxy(options: Omit<OutboundOptions, 'userAgent'>): Promise<GuardedProxy> {
  const allow = parseAllowList(options.allow ?? [])
  const hops = createHops({ allow, lookup: options.lookup ?? lookupByDns, proxy: options.proxy })
  const password = randomBytes(32).toString('hex')
  const authorization = Buffer.from(`Basic ${Buffer.from(`run:${password}`).toString('base64')}`)
  const closing = new AbortController()
  let requests = 0
  let bytes = 0

  /** Throws unless the request has the password and the limit of requests is not reached. */
  function admit(request: IncomingMessage): void {
    const credentials = Buffer.from(request.headers['proxy-authorization'] ?? '')
    if (credentials.length !== authorization.length || !timingSafeEqual(credentials, authorization)) {
      throw new RefusedRequest(407)
    }
    requests += 1
    if (requests > maxRequests) throw new RefusedRequest(429)
  }

  /** Returns a stream that fails above the limits. */
  function meter(): Transform {
    let count = 0
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        count += chunk.length
        bytes += chunk.length
        if (count > maxConnectionBytes || bytes > maxTotalBytes) done(new OutboundError('too-large'))
        else done(null, chunk)
      },
    })
  }

  /** Returns the body of a request as a stream that fails above the limits. Its failure also fails the request to the host. */
  const metered = (request: IncomingMessage) => pipelineWithCallback(request, meter(), () => {})

  const deadline = () => AbortSignal.any([closing.signal, AbortSignal.timeout(connectionMs)])

  async function forward(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const startedAt = performance.now()
    try {
      admit(request)
      const url = checkUrl(request.url ?? '', allow)
      // https is tunnelled. A request for it would be sent in plain text to this proxy.
      if (url.protocol !== 'http:') throw new OutboundError('scheme')
      const signal = deadline()
      const response = await hops.request(url, {
        method: request.method ?? 'GET',
        headers: { ...passedHeaders(request.headers), host: url.host },
        ...(hasBody(request) && { body: metered(request) }),
        signal,
      })
      reply.writeHead(response.statusCode, passedHeaders(response.headers))
      await pipeline(response.body, meter(), reply, { signal })
    } catch (error) {
      if (reply.headersSent) reply.destroy()
      else reply.writeHead(await failureStatus(error, startedAt), { connection: 'close' }).end()
    }
  }

  async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const startedAt = performance.now()
    client.on('error', () => {})
    try {
      admit(request)
      const url = checkUrl(`https://${request.url}/`, allow)
      if (url.pathname !== '/' || url.search !== '') throw new OutboundError('bad-url')
      const signal = deadline()
      const target = await hops.connect(url, signal)
      target.on('error', () => {})
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) target.write(head)
      await Promise.all([
        pipeline(client, meter(), target, { signal }),
        pipeline(target, meter(), client, { signal }),
      ]).catch(() => {
        client.destroy()
        target.destroy()
      })
    } catch (error) {
      const status = await failureStatus(error, startedAt)
      // Destroyed, because a client could otherwise keep it open after the proxy is closed.
      client.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`, () => client.destroy())
    }
  }

  const server = createServer((request, reply) => void forward(request, reply))
  server.maxConnections = maxAtATime
  server.on('connect', (request, client, head) => void tunnel(request, client, head))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://run:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort()
      server.close()
      server.closeAllConnections()
      await hops.close()
    },
  }
}

/** The proxy refuses a request for a reason of its own. */
class RefusedRequest extends Error {
  readonly status: number

  constructor(status: number) {
    super(`Refused with ${status}.`)
    this.status = status
  }
}

/** Returns the same status for all failures of a host, at times that do not tell which addresses are not public. */
async function failureStatus(error: unknown, startedAt: number): Promise<number> {
  if (error instanceof RefusedRequest) return error.status
  await hideFailureDuration(
    error instanceof OutboundError ? error : new OutboundError('unreachable'),
    startedAt,
  )
  return 502
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function passedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ownHeaders.has(name)) passed[name] = value
  }
  return passed
}
