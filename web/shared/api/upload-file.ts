import { call } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { authorisedTransport } from './api.ts'
import { fetchTransport } from './fetch-transport.ts'

/**
 * Sends a file as it is to an endpoint that accepts bytes, as the viewer.
 * @throws CallError for every unsuccessful response; its status is 0 if there was no response.
 */
export function uploadFile<E extends Endpoint>(endpoint: E, file: File): Promise<Reply<E>> {
  const transport = authorisedTransport(fetchTransport())
  const sendFile: typeof transport = (request) =>
    transport({
      ...request,
      headers: { ...request.headers, 'content-type': 'application/octet-stream' },
      body: file,
    })
  return call(sendFile, endpoint, {} as Input<E>)
}
