import { type CallRequest, type CallResponse, call } from '@reelmark/contract/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/endpoint.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

/** Calls an endpoint: `(likeVideo, { params: { id } })`. */
export type Api = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Reply<E>>

const onServer = new WeakMap<QueryClient, Api>()

/** The server, before it renders: this client's queries go through `transport`, as a visitor. */
export function answerQueriesWith(
  client: QueryClient,
  transport: (request: CallRequest) => Promise<CallResponse>,
): void {
  onServer.set(client, (endpoint, input) => call(transport, endpoint, input))
}

/** What a query function calls with: `queryFn: ({ client }) => apiOf(client)(getBookmark, …)`. */
export function apiOf(client: QueryClient): Api {
  return onServer.get(client) ?? api
}
