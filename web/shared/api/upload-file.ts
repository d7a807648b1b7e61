import { CallError, call, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'
import { authorisedTransport } from './api.ts'
import { reportServerReachable } from './connectivity.ts'

interface UploadOptions {
  /** Receives the number of bytes that were sent. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/**
 * Sends a file, or a part of one, as it is to an endpoint that accepts bytes, as the viewer.
 * @throws CallError for every unsuccessful response; its status is 0 if there was no response. Throws the reason of the
 * signal after an abort.
 */
export function uploadFile<E extends Endpoint>(
  endpoint: E,
  input: Input<E> | Omit<Input<E>, 'body'>,
  file: Blob,
  options: UploadOptions,
): Promise<Reply<E>> {
  const transport = authorisedTransport(uploadTransport(options))
  const sendFile: Transport = (request) =>
    transport({
      ...request,
      headers: { ...request.headers, 'content-type': 'application/octet-stream' },
      body: file,
    })
  return call(sendFile, endpoint, input as Input<E>)
}

/** Returns a transport that uses `XMLHttpRequest`, because `fetch` does not report the progress of an upload. */
function uploadTransport({ onProgress, signal }: UploadOptions): Transport {
  return ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      signal.addEventListener('abort', abort)
      request.upload.onprogress = (event) => onProgress(event.loaded)
      request.onload = () => {
        reportServerReachable(true)
        const type = request.getResponseHeader('content-type') ?? ''
        const response = new Response(request.responseText, { headers: { 'content-type': type } })
        resolve(
          readJsonBody(response).then((content) => ({
            status: request.status,
            headers: { get: (name) => request.getResponseHeader(name) },
            body: content,
          })),
        )
      }
      request.onerror = () => {
        reportServerReachable(false)
        reject(new CallError(0, null))
      }
      request.onabort = () => reject(signal.reason)
      request.onloadend = () => signal.removeEventListener('abort', abort)
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.send(body)
    })
}
