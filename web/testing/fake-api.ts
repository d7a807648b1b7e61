import { vi } from 'vitest'

export interface FakeRequest {
  method: string
  /** Below /api, with its query: `/videos/?page=2`. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: unknown
  signal: AbortSignal | undefined
}

/** Status, body and headers; `'offline'`: nothing comes back. */
export type FakeAnswer = readonly [number, unknown?, Record<string, string>?] | 'offline'

/** Puts `answer` in the place of the server and writes down what was asked, in order. */
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

/** How often a path (any query) was asked for. */
export function countRequests(requests: FakeRequest[], path: string): number {
  return requests.filter((request) => request.path.split('?')[0] === path).length
}
