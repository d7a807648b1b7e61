/** Sends requests to the server from the browser, as the viewer. */
import {
  type CallRequest,
  type CallResponse,
  call,
  type Transport,
} from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, FormInput, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { loginPath, redirectTo } from '../session/redirects.ts'
import { isAccessTokenExpired, refreshSession, waitForRefresh } from '../session/session-refresh.ts'
import { clearSession, storedTokens } from '../session/session-store.ts'
import { isSuspensionError } from '../session/suspension.ts'
import { fetchTransport } from './fetch-transport.ts'

export interface ApiOptions {
  signal?: AbortSignal
  /**
   * Sent to an `idempotent` endpoint: repeating a request with the same key does it once (see idempotency-key.ts).
   * Without it, every call gets a new key.
   */
  idempotencyKey?: string
}

/**
 * Calls an endpoint, with the session's access token unless the endpoint is open to anyone. A 401 response to a request
 * with a token causes one refresh, shared by all requests that wait for it, and one repetition of this request. If the
 * session turns out to have ended, the browser goes to /login.
 * @throws CallError for every unsuccessful response; its status is 0 if there was no response.
 */
export function api<E extends Endpoint>(
  endpoint: E,
  input: Input<E> | (E extends { picture: string } ? FormInput<E> : never),
  { signal, idempotencyKey }: ApiOptions = {},
): Promise<Reply<E>> {
  const transport = fetchTransport(signal)
  const headers: Record<string, string> = endpoint.idempotent
    ? { 'idempotency-key': idempotencyKey ?? createRandomKey() }
    : {}
  const chosenTransport = endpoint.auth === 'anyone' ? transport : authorisedTransport(transport)
  return call(chosenTransport, endpoint, input, headers).catch((error: unknown) => {
    if (isSuspensionError(error)) {
      const report = import('../session/report-suspension.ts').then((module) =>
        module.reportSuspension(error),
      )
      // If the module cannot be loaded, the caller's own message remains.
      report.catch(() => undefined)
    }
    throw error
  })
}

/** The access token of the session that this tab is ending. */
let endingAccessToken: string | null = null

/**
 * Announces that the user is ending the session of this access token, so that its requests no longer redirect to
 * /login.
 */
export function expectSessionEnd(access: string): void {
  endingAccessToken = access
}

/**
 * Returns a transport that adds the bearer token and repeats a request once after a refresh.
 * @param onLost runs when the session turns out to have ended, unless this tab is ending it.
 */
export function authorisedTransport(transport: Transport, onLost = handleSessionLost): Transport {
  return async (request) => {
    await waitForRefresh()
    const access = storedTokens()?.access
    if (access === undefined) return transport(request)
    const firstResponse = isAccessTokenExpired(access)
      ? unauthorisedResponse
      : await transport(withBearerToken(request, access))
    if (firstResponse.status !== 401) return firstResponse
    const refreshedToken = await refreshSession(access)
    const reply =
      refreshedToken === null ? firstResponse : await transport(withBearerToken(request, refreshedToken))
    if (reply.status === 401 && access !== endingAccessToken) onLost()
    return reply
  }
}

const unauthorisedResponse: CallResponse = { status: 401, headers: { get: () => null }, body: null }

function withBearerToken(request: CallRequest, access: string): CallRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${access}` } }
}

function handleSessionLost(): void {
  clearSession()
  if (window.location.pathname !== '/login') redirectTo(loginPath(window.location))
}

/**
 * Returns a random key of 128 bits in hexadecimal. `crypto.randomUUID` does not exist on pages served over plain HTTP.
 */
export function createRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
