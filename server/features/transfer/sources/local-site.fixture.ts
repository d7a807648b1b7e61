/** A site on this machine, which the outbound client may request as an exception. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalSite {
  /** `127.0.0.1:port` */
  host: string
  /** What each path responds with. Others do not exist. */
  pages: Map<string, (reply: ServerResponse) => void>
  /** The requested paths, with their headers. */
  requests: { path: string; headers: Record<string, unknown> }[]
  close(): void
}

export async function openLocalSite(): Promise<LocalSite> {
  const pages: LocalSite['pages'] = new Map()
  const requests: LocalSite['requests'] = []
  const server = createServer((request, reply) => {
    reply.on('error', () => {})
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const page = pages.get(path)
    if (page === undefined) reply.writeHead(404).end()
    else page(reply)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const respondWith =
  (body: string | Buffer, contentType: string, status = 200) =>
  (reply: ServerResponse): void => {
    reply.writeHead(status, { 'content-type': contentType }).end(body)
  }
