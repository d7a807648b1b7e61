/** Reads the unread count from one connection until it ends. */

import { streamNotifications } from '@reelmark/contract/notifications.ts'
import { readJsonBody } from '@reelmark/contract/protocol/read-json-body.ts'
import { sendInBackground } from '../../shared/api/background-request.ts'

/** A connection silent for this long is replaced (contract/notifications.ts). */
const heartbeatTimeoutMs = 60_000

export interface StreamOutcome {
  /** Whether the server sent a count. */
  hasReceivedCount: boolean
  /** The delay in ms that the server requests before the next attempt. */
  retryAfterMs: number
}

/**
 * Reads the stream until `signal`, the server or the network ends it. An ended session is cleared with a toast, and the
 * page stays, because this request was not made by the user.
 */
export async function readStream(
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<StreamOutcome> {
  const outcome: StreamOutcome = { hasReceivedCount: false, retryAfterMs: 0 }
  const connection = new AbortController()
  const closeConnection = () => connection.abort()
  if (signal.aborted) return outcome
  signal.addEventListener('abort', closeConnection, { once: true })
  let heartbeatTimer = setTimeout(closeConnection, heartbeatTimeoutMs)
  try {
    const { body, headers } = await sendInBackground(
      streamNotifications,
      connection.signal,
      async (response) => (response.ok ? response.body : readJsonBody(response)),
    )
    outcome.retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1000 || 0
    if (!(body instanceof ReadableStream)) return outcome
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return outcome
      clearTimeout(heartbeatTimer)
      heartbeatTimer = setTimeout(closeConnection, heartbeatTimeoutMs)
      const events = (text + value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const count = parseCount(event)
        if (count === null) continue
        outcome.hasReceivedCount = true
        onCount(count)
      }
    }
  } catch {
    // The caller decides what to do after the end.
    return outcome
  } finally {
    clearTimeout(heartbeatTimer)
    signal.removeEventListener('abort', closeConnection)
    closeConnection()
  }
}

/** Returns the count in an event; null for a comment. */
function parseCount(event: string): number | null {
  const data = /^data: (.*)$/m.exec(event)?.[1]
  return data === undefined ? null : (JSON.parse(data) as { count: number }).count
}
