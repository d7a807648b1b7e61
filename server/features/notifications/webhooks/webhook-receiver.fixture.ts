/** A server of a user that receives webhooks. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedRequest {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface WebhookReceiver {
  /** `127.0.0.1:port` */
  host: string
  received: ReceivedRequest[]
  /** Sets the status of all further responses. */
  respondWith(status: number): void
  close(): void
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  let status = 204
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ url: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    received,
    respondWith(next) {
      status = next
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
