/** Single requests and connections to checked addresses: what the outbound client and the proxy for programs share. */
import type { Duplex } from 'node:stream'
import { Agent, Client, type Dispatcher, ProxyAgent } from 'undici'
import { type AllowList, bareHost, effectivePort } from './check-url.ts'
import { connectChecked, connectMs, guardedConnector, type Lookup, resolveChecked } from './connector.ts'
import { OutboundError } from './outbound-error.ts'

const headersMs = 5000
const idleMs = 5000
const maxHeaderBytes = 16 * 1024

interface HopOptions {
  allow: AllowList
  lookup: Lookup
  /** URL of an http(s) proxy for everything; undefined: none. */
  proxy: string | undefined
}

interface HopRequest {
  method: string
  headers: Record<string, string | string[]>
  body?: Dispatcher.DispatchOptions['body'] | undefined
  signal: AbortSignal
}

/** Works with URLs that `checkUrl` returned. Follows no redirects. */
export interface Hops {
  /** Sends a request. Rejects with OutboundError or an error of undici. */
  request(url: URL, request: HopRequest): Promise<Dispatcher.ResponseData>
  /** Connects to host and port of the URL, without TLS. Rejects with OutboundError or an error of undici. */
  connect(url: URL, signal: AbortSignal): Promise<Duplex>
  close(): Promise<void>
}

/** @throws {Error} with a one-line message if `proxy` is invalid */
export function createHops({ allow, lookup, proxy }: HopOptions): Hops {
  const dispatcher = proxy === undefined ? directDispatcher(allow, lookup) : proxyDispatcher(proxy)

  return {
    async request(url, { method, headers, body, signal }) {
      // The proxy connects by itself, so this is the only check of the address.
      if (proxy !== undefined) await resolveChecked(bareHost(url), effectivePort(url), { allow, lookup })
      return dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers,
        ...(body !== undefined && { body }),
        headersTimeout: headersMs,
        bodyTimeout: idleMs,
        signal,
      })
    },
    async connect(url, signal) {
      const [host, port] = [bareHost(url), effectivePort(url)]
      if (proxy === undefined) return connectChecked(host, Number(port), { allow, lookup })
      await resolveChecked(host, port, { allow, lookup })
      return connectThrough(new URL(proxy), `${url.hostname}:${port}`, signal)
    },
    close: () => dispatcher.close(),
  }
}

function directDispatcher(allow: AllowList, lookup: Lookup): Dispatcher {
  return new Agent({
    connect: guardedConnector({ allow, lookup }),
    connections: 8,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 2000,
    keepAliveMaxTimeout: 5000,
  })
}

function proxyDispatcher(proxy: string): Dispatcher {
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new Error(`'${proxy}' is not the URL of an http proxy`)
  }
  return new ProxyAgent({ uri: proxy, connectTimeout: connectMs, maxHeaderSize: maxHeaderBytes })
}

/** Returns a tunnel through a proxy. */
async function connectThrough(proxy: URL, target: string, signal: AbortSignal): Promise<Duplex> {
  const { username, password } = proxy
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const client = new Client(proxy.origin, { connect: { timeout: connectMs } })
  const { statusCode, socket } = await client.connect({
    path: target,
    signal,
    headers: {
      host: target,
      ...(username !== '' && { 'proxy-authorization': `Basic ${credentials.toString('base64')}` }),
    },
  })
  if (statusCode === 200) return socket
  socket.destroy()
  throw new OutboundError('unreachable')
}
