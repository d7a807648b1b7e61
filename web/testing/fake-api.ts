import { vi } from 'vitest'

export interface FakeRequest {
  method: string
  /** Path below /api with its query: `/videos/?page=2`. */
  path: string
  /** Header names are in lower case. */
  headers: Record<string, string>
  body: unknown
  signal: AbortSignal | undefined
}

/** Status, body and headers, or `'offline'` for a failed request. */
export type FakeAnswer = readonly [number, unknown?, Record<string, string>?] | 'offline'

/** Replaces the server with `answer` and returns the growing list of requests. */
export function fakeApi(answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>): FakeRequest[] {
  const requests: FakeRequest[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request: FakeRequest = {
      method: init.method ?? 'GET',
      path: url.replace(/^\/api/, ''),
      headers: { ...(init.headers as Record<string, string>) },
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
      signal: init.signal ?? undefined,
    }
    requests.push(request)
    const fakeReply = await answer(request)
    init.signal?.throwIfAborted()
    if (fakeReply === 'offline') throw new TypeError('Failed to fetch')
    const [status, body = null, headers = {}] = fakeReply
    return new Response(status === 204 ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
  })
  return requests
}

/** Counts the requests to a path, with any query. */
export function countRequests(requests: FakeRequest[], path: string): number {
  return requests.filter((request) => request.path.split('?')[0] === path).length
}
