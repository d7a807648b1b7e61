/** A proxy in front of a site, which tests can make unreachable or let lose responses. */
import { once } from 'node:events'
import { createServer, request as startRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Site } from './site-process.ts'

export interface UnreliableProxy {
  /** The origin under which the site is reachable through the proxy. */
  url: string
  /** While it is down, connections are closed. */
  state: 'up' | 'down'
  /** The request, as in `requests`, that reaches the site but whose response is lost. */
  loses: string | null
  /** The paths of requests to the API so far, with their methods: `POST /api/bookmarks/`. */
  requests: string[]
  close(): Promise<void>
}

export async function startUnreliableProxy(site: Pick<Site, 'url'>): Promise<UnreliableProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const name = `${method} ${url.split('?')[0]}`
    if (url.startsWith('/api/')) proxy.requests.push(name)
    if (proxy.state === 'down') {
      incoming.destroy()
      return
    }
    const forwarded = startRequest(new URL(url, site.url), { method, headers }, (response) => {
      if (name === proxy.loses) {
        response.resume().on('end', () => incoming.destroy())
        return
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => incoming.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: UnreliableProxy = {
    url: `http://localhost:${port}`,
    state: 'up',
    loses: null,
    requests: [],
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return proxy
}
