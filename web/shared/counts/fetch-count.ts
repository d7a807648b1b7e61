import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'
import { sendInBackground } from '../api/background-request.ts'

/** Returns the `count` in the response of an endpoint; null without a successful response. */
export async function fetchCount(signal: AbortSignal, endpoint: Endpoint): Promise<number | null> {
  try {
    const { status, body } = await sendInBackground(endpoint, signal, readJsonBody)
    return status === 200 ? (body as { count: number }).count : null
  } catch (error) {
    if (isCallError(error) || signal.aborted) return null
    throw error
  }
}
