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
 * A web of stored answers, fetched as the real one is: over HTTP through the guarded client, whose allow-list names the
 * local server. Addresses that are not in it answer 404.
 */
export async function serveResponses(answers: Map<string, ServedResponse>) {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://x').searchParams.get('u') ?? ''
    const answer = answers.get(url)
    if (answer === undefined) reply.writeHead(404).end('not here')
    else {
      reply.writeHead(answer.status ?? 200, answer.contentType ? { 'content-type': answer.contentType } : {})
      reply.end(answer.body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const real = createOutbound({ allow: [`127.0.0.1:${port}`] })

  const outbound: Pick<Outbound, 'get'> = {
    async get(url, options) {
      asked.push(url)
      const final = answers.get(url)?.movedTo ?? url
      const answer = await real.get(`http://127.0.0.1:${port}/?u=${encodeURIComponent(final)}`, options)
      return { ...answer, url: final }
    },
  }
  return {
    outbound,
    asked,
    async close() {
      await real.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
