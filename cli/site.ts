/** Calls a site with an access token. */
import { getConnection } from '@reelmark/contract/connections.ts'
import { CallError, type CallResponse, call, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'

export interface Site {
  /** The address without a trailing slash. */
  address: string
  token: string
  readUsername(): Promise<string>
  call<E extends Endpoint>(endpoint: E, input: Input<E>, headers?: Record<string, string>): Promise<Reply<E>>
}

/**
 * Returns a site, for calls with a token.
 * @param username null: it is requested when it is needed
 */
export function connectTo(address: string, token: string, username: string | null = null): Site {
  const transport = fetchTransport(address, token)
  return {
    address,
    token,
    readUsername: async () => username ?? (await call(transport, getConnection, {})).username,
    call: (endpoint, input, headers) => call(transport, endpoint, input as never, headers),
  }
}

/**
 * Returns the transport of the contract for a site.
 * @param token null: the calls are made as a visitor
 */
export function fetchTransport(address: string, token: string | null): Transport {
  return async ({ method, url, headers, body }): Promise<CallResponse> => {
    const response = await fetchFrom(address, url, token, { method, headers, body })
    return { status: response.status, headers: response.headers, body: await readJsonBody(response) }
  }
}

/**
 * Sends a request and returns its response, whatever the status.
 * @throws CallError with status 0 if no response arrives
 */
export async function fetchFrom(
  address: string,
  url: string,
  token: string | null,
  { headers, ...init }: { method: string; headers?: Record<string, string>; body?: BodyInit | null },
): Promise<Response> {
  try {
    return await fetch(address + url, {
      ...init,
      headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
      // A redirect could take the token to another site.
      redirect: 'manual',
    })
  } catch {
    throw new CallError(0, null)
  }
}
