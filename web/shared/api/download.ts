/** Downloads files that only the viewer may read. A plain link could not carry the access token. */
import { CallError, endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input } from '@reelmark/contract/protocol/endpoint.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'
import { authorisedTransport } from './api.ts'
import { fetchTransport } from './fetch-transport.ts'

export interface DownloadedFile {
  content: Blob
  /** The name in the response, or else `fallback`. */
  name: string
}

/**
 * Fetches a file with a GET request.
 * @throws CallError for every unsuccessful response.
 */
export async function downloadFile<E extends Endpoint & { method: 'GET' }>(
  endpoint: E,
  input: Input<E>,
  fallback: string,
): Promise<DownloadedFile> {
  const read = (response: Response) => (response.ok ? response.blob() : readJsonBody(response))
  const { params, query } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> }
  const { status, body, headers } = await authorisedTransport(fetchTransport(undefined, read))({
    method: 'GET',
    url: endpointUrl(endpoint, params, query),
    headers: {},
    body: null,
  })
  if (status !== endpoint.status || !(body instanceof Blob)) throw new CallError(status, body)
  return { content: body, name: fileNameFromHeader(headers.get('content-disposition')) ?? fallback }
}

/** Returns the file name in a Content-Disposition header, without any folders; null if the header names no file. */
export function fileNameFromHeader(header: string | null): string | null {
  const name = /filename="([^"]+)"/i.exec(header ?? '')?.[1] ?? /filename=([^;\s]+)/i.exec(header ?? '')?.[1]
  return name?.replace(/^.*[\\/]/, '') || null
}
