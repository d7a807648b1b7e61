/** The contract's `Transport` in the browser. */
import { CallError, type Transport } from '@reelmark/contract/protocol/call.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'
import { reportServerReachable } from './connectivity.ts'

/**
 * Returns a transport that uses `fetch`. It returns every response, also errors.
 * @param read reads the body of a response.
 * @throws CallError with status 0 if there was no response; the signal's reason if it was aborted.
 */
export function fetchTransport(signal?: AbortSignal, read = readJsonBody): Transport {
  return async ({ method, url, headers, body }) => {
    try {
      // Reaches the server although the page is being left. Browsers limit the size of such bodies to 64 KB in total.
      const keepalive =
        method === 'DELETE' || (document.hidden && typeof body === 'string' && body.length < 1_000)
      const response = await fetch(url, { method, headers, body, keepalive, ...(signal && { signal }) })
      reportServerReachable(true)
      return { status: response.status, headers: response.headers, body: await read(response) }
    } catch (error) {
      if (signal?.aborted) throw error
      reportServerReachable(false)
      throw new CallError(0, null)
    }
  }
}
