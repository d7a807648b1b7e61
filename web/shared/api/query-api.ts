import { type CallRequest, type CallResponse, call } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

/** Calls an endpoint: `(likeVideo, { params: { id } })`. */
export type Api = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Reply<E>>

const serverApis = new WeakMap<QueryClient, Api>()

/** The server, before it renders: this client's queries go through `transport`, as a visitor. */
export function setServerTransport(
  client: QueryClient,
  transport: (request: CallRequest) => Promise<CallResponse>,
): void {
  serverApis.set(client, (endpoint, input) => call(transport, endpoint, input))
}

/** What a query function calls with: `queryFn: ({ client }) => apiOf(client)(getBookmark, …)`. */
export function queryApi(client: QueryClient): Api {
  return serverApis.get(client) ?? api
}
