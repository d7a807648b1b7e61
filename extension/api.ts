/** Calls the user's site, and nothing else. */
import { CallError, call, isCallError, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'
import { readStored, writeStored } from './stored.ts'

/** Longer than the server takes to request a page. */
const timeoutMs = 40_000

/** Thrown instead of a request if the extension has no token. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
}

/**
 * Returns a transport to a site that sends the token and no cookies.
 * @throws CallError with status 0 if there was no response.
 */
export function siteTransport(site: string, token: string | null): Transport {
  return async ({ method, url, headers, body }) => {
    try {
      const response = await fetch(site + url, {
        method,
        headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
        body,
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: response.status, headers: response.headers, body: await readJsonBody(response) }
    } catch {
      throw new CallError(0, null)
    }
  }
}

/**
 * Calls an endpoint of the connected site as the user. If the site no longer accepts the token, it is removed.
 * @throws CallError for every unsuccessful response, NotConnectedError without a token.
 */
export async function api<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  headers: Record<string, string> = {},
): Promise<Reply<E>> {
  const connection = await readStored('connection')
  const token = connection?.token ?? null
  if (connection === null || token === null) throw new NotConnectedError()
  try {
    return await call(siteTransport(connection.site, token), endpoint, input as never, headers)
  } catch (error) {
    if (isRefusedToken(error)) await removeToken(token)
    throw error
  }
}

/** Returns whether the site itself refused the token. A proxy in front of it may answer 401, too. */
export function isRefusedToken(error: unknown): boolean {
  return isCallError(error) && error.status === 401 && error.code !== null
}

/** Removes a token, unless the user has connected again meanwhile. Saves that were not sent yet stay stored. */
async function removeToken(token: string): Promise<void> {
  const connection = await readStored('connection')
  if (connection?.token !== token) return
  await writeStored('connection', { ...connection, token: null })
  await writeStored('account', null)
}
