/** Calling the server from the browser, as whoever is signed in. */
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
import { reportSuspension } from '../session/suspension.ts'
import { fetchTransport } from './fetch-transport.ts'

export interface ApiOptions {
  signal?: AbortSignal
  /**
   * Of an `idempotent` endpoint: names what the person meant to do, so that sending it again does it once
   * (see intent.ts). Without one each call is its own intent.
   */
  idempotencyKey?: string
}

/**
 * Calls an endpoint, with the session's token where the endpoint cares who asks.
 * A 401 on a call with a token is answered by one refresh, shared with every call that waits for one, and one retry
 * of this call; if the session turns out to be over, the browser goes to /login.
 * @throws CallError for every reply that is no success; status 0 when no reply came.
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
    reportSuspension(error)
    throw error
  })
}

/** The access token of a session that is being ended here. */
let endingAccessToken: string | null = null

/** From now on nobody is led to /login because the session of this access token is over: that is what they want. */
export function expectSessionEnd(access: string): void {
  endingAccessToken = access
}

/**
 * Adds the bearer token to each request, and does the one refresh and the one retry. `onLost`: the session turned out
 * to be over, and was not being ended here.
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

/** Random enough never to meet itself. `crypto.randomUUID` is missing where the page came over plain HTTP. */
export function createRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
