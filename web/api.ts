/** Calling the server from the browser, as whoever is signed in. */
import { type CallRequest, type CallResponse, call, type Transport } from '@reelmark/contract/call.ts'
import type { Endpoint, FormInput, Input, Reply } from '@reelmark/contract/endpoint.ts'
import { fetchTransport } from './fetch-transport.ts'
import { leaveFor, loginPath } from './leave.ts'
import { looksExpired, refreshSession, refreshSettled } from './session-refresh.ts'
import { clearSession, storedTokens } from './session-store.ts'
import { noteSuspension } from './suspension.ts'

export interface ApiOptions {
  signal?: AbortSignal
  /**
   * Of an `idempotent` endpoint: names what the person meant to do, so that sending it again does it once
   * (see intent.ts). Without one each call is its own intent.
   */
  intent?: string
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
  { signal, intent }: ApiOptions = {},
): Promise<Reply<E>> {
  const transport = fetchTransport(signal)
  const headers: Record<string, string> = endpoint.idempotent
    ? { 'idempotency-key': intent ?? randomKey() }
    : {}
  const asWho = endpoint.access === 'anyone' ? transport : authorised(transport)
  return call(asWho, endpoint, input, headers).catch((error: unknown) => {
    noteSuspension(error)
    throw error
  })
}

/** The access token of a session that is being ended here. */
let ending: string | null = null

/** From now on nobody is led to /login because the session of this access token is over: that is what they want. */
export function expectEndOf(access: string): void {
  ending = access
}

/**
 * Adds the bearer token to each request, and does the one refresh and the one retry. `onLost`: the session turned out
 * to be over, and was not being ended here.
 */
export function authorised(transport: Transport, onLost = sessionLost): Transport {
  return async (request) => {
    await refreshSettled()
    const access = storedTokens()?.access
    if (access === undefined) return transport(request)
    const first = looksExpired(access) ? unauthorised : await transport(withToken(request, access))
    if (first.status !== 401) return first
    const fresh = await refreshSession(access)
    const reply = fresh === null ? first : await transport(withToken(request, fresh))
    if (reply.status === 401 && access !== ending) onLost()
    return reply
  }
}

const unauthorised: CallResponse = { status: 401, headers: { get: () => null }, body: null }

function withToken(request: CallRequest, access: string): CallRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${access}` } }
}

function sessionLost(): void {
  clearSession()
  if (window.location.pathname !== '/login') leaveFor(loginPath(window.location))
}

/** Random enough never to meet itself. `crypto.randomUUID` is missing where the page came over plain HTTP. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
