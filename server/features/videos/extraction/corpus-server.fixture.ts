import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutbound, type Outbound } from '../../../core/outbound/outbound.ts'

export type ServedResponse = {
  status?: number
  contentType?: string | null
  body: Uint8Array | string
  movedTo?: string
}

/**
 * Serves stored responses over HTTP through the real outbound client, whose allow-list contains the local server. Other
 * addresses answer 404. Returns the client and the list of requested addresses.
 */
export async function serveResponses(responses: Map<string, ServedResponse>) {
  const requested: string[] = []
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://x').searchParams.get('u') ?? ''
    const response = responses.get(url)
    if (response === undefined) reply.writeHead(404).end('not here')
    else {
      reply.writeHead(
        response.status ?? 200,
        response.contentType ? { 'content-type': response.contentType } : {},
      )
      reply.end(response.body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const real = createOutbound({ allow: [`127.0.0.1:${port}`] })

  const outbound: Pick<Outbound, 'get'> = {
    async get(url, options) {
      requested.push(url)
      const final = responses.get(url)?.movedTo ?? url
      const response = await real.get(`http://127.0.0.1:${port}/?u=${encodeURIComponent(final)}`, options)
      return { ...response, url: final }
    },
  }
  return {
    outbound,
    requested,
    async close() {
      await real.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
