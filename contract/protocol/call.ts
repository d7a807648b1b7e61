/** Calls endpoints, in the browser with fetch and on the server with app.inject. */
import type { Endpoint, FormInput, Input, Reply } from './endpoint.ts'
import type { ErrorName } from './errors.ts'

export interface CallRequest {
  method: Endpoint['method']
  /** Path with query, from the root: `/api/videos/?page=2`. */
  url: string
  headers: Record<string, string>
  /** JSON, a form, or a file as it is. The transport sets the content type of a form, because it chooses the boundary. */
  body: string | FormData | Blob | null
}

export interface CallResponse {
  status: number
  headers: { get(name: string): string | null }
  /** Parsed JSON; null if the response has no body. */
  body: unknown
}

/** Sends a request and returns the response whatever its status; throws only if no response arrives. */
export type Transport = (request: CallRequest) => Promise<CallResponse>

/**
 * An unsuccessful response. `status` 0 means that no response arrived (offline, connection lost). Use `isCallError`
 * instead of `instanceof`: the server bundle has its own copy of this class.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  /** Null if no response arrived, or one that is not from the server itself. */
  readonly code: ErrorName | null
  readonly body: unknown
  /** In seconds, from Retry-After; null without that header. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, retryAfter: number | null = null) {
    super(`call answered ${status}`)
    this.status = status
    this.code = readErrorCode(body)
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** Returns whether an error is a CallError of either copy of the class. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'CallError'
}

function readErrorCode(body: unknown): ErrorName | null {
  if (body === null || typeof body !== 'object' || !('code' in body)) return null
  return typeof body.code === 'string' ? (body.code as ErrorName) : null
}

/** Returns the path of an endpoint with parameters and query filled in; undefined query values are left out. */
export function endpointUrl(
  endpoint: Pick<Endpoint, 'path'>,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return `/api${path}${text === '' ? '' : `?${text}`}`
}

interface InputParts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: object | FormData
}

/**
 * Calls an endpoint and returns its reply.
 * @throws CallError if the response does not have the endpoint's success status.
 */
export async function call<E extends Endpoint>(
  transport: Transport,
  endpoint: E,
  input: Input<E> | (E extends { picture: string } ? FormInput<E> : never),
  headers: Record<string, string> = {},
): Promise<Reply<E>> {
  const { params, query, body } = input as InputParts
  const isJson = body !== undefined && !(body instanceof FormData)
  const response = await transport({
    method: endpoint.method,
    url: endpointUrl(endpoint, params, query),
    headers: isJson ? { 'content-type': 'application/json', ...headers } : headers,
    body: isJson ? JSON.stringify(body) : (body ?? null),
  })
  if (response.status !== endpoint.status) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw new CallError(response.status, response.body, Number.isFinite(seconds) ? seconds : null)
  }
  return response.body as Reply<E>
}
