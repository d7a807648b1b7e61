import { type CallRequest, type CallResponse, call } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

/** Calls an endpoint: `(likeVideo, { params: { id } })`. */
export type Api = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Reply<E>>

const serverApis = new WeakMap<QueryClient, Api>()

/** Makes the queries of this client use `transport`, as a visitor. The server calls it before it renders a page. */
export function setServerTransport(
  client: QueryClient,
  transport: (request: CallRequest) => Promise<CallResponse>,
): void {
  serverApis.set(client, (endpoint, input) => call(transport, endpoint, input))
}

/**
 * Returns the function that a query calls endpoints with: `queryFn: ({ client }) => queryApi(client)(getBookmark, …)`.
 */
export function queryApi(client: QueryClient): Api {
  return serverApis.get(client) ?? api
}
