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
  async function respond(url: string, init: RequestInit): Promise<Response> {
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
  }
  vi.stubGlobal('fetch', respond)
  vi.stubGlobal('XMLHttpRequest', fakeXmlHttpRequest(respond))
  return requests
}

/** Returns a class that uploads through `respond` and reports that half of the file was sent before the response. */
function fakeXmlHttpRequest(respond: (url: string, init: RequestInit) => Promise<Response>) {
  return class extends EventTarget {
    upload: { onprogress?: (event: { loaded: number }) => void } = {}
    status = 0
    responseText = ''
    onload = () => {}
    onerror = () => {}
    onabort = () => {}
    onloadend = () => {}
    #init: RequestInit & { headers: Record<string, string> } = { headers: {} }
    #url = ''
    #controller = new AbortController()
    #response = new Response()
    open(method: string, url: string): void {
      this.#init.method = method
      this.#url = url
    }
    setRequestHeader(name: string, value: string): void {
      this.#init.headers[name] = value
    }
    getResponseHeader(name: string): string | null {
      return this.#response.headers.get(name)
    }
    abort(): void {
      this.#controller.abort()
      this.onabort()
      this.onloadend()
    }
    async send(file: File): Promise<void> {
      const { signal } = this.#controller
      this.upload.onprogress?.({ loaded: Math.floor(file.size / 2) })
      try {
        this.#response = await respond(this.#url, { ...this.#init, signal })
        this.status = this.#response.status
        this.responseText = await this.#response.text()
        this.onload()
      } catch {
        if (signal.aborted) return
        this.onerror()
      }
      this.onloadend()
    }
  }
}

/** Counts the requests to a path, with any query. */
export function countRequests(requests: FakeRequest[], path: string): number {
  return requests.filter((request) => request.path.split('?')[0] === path).length
}
