/** The browser's way to the server: `fetch`, seen as a contract `Transport`. */
import { CallError, type Transport } from '@reelmark/contract/protocol/call.ts'
import { reportServerReachable } from './connectivity.ts'

/**
 * A transport over `fetch`. It answers whatever came back, errors included.
 * @param read makes a reply's body of it.
 * @throws CallError with status 0 when nothing came back; the signal's own reason when it was aborted.
 */
export function fetchTransport(signal?: AbortSignal, read = readJsonBody): Transport {
  return async ({ method, url, headers, body }) => {
    try {
      // What is let go of as the page is left arrives all the same: a DELETE has no body that would be too long for it.
      const keepalive = method === 'DELETE'
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

/** Anything but JSON (a proxy's error page, nothing at all) is no body: it must never be shown to a person. */
export async function readJsonBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '' || !/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
