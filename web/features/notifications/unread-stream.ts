/** The unread count as the server says it while one looks on: one connection, read until it ends. */

import { streamNotifications } from '@reelmark/contract/notifications.ts'
import { sendInBackground } from '../../shared/api/background-request.ts'
import { readJsonBody } from '../../shared/api/fetch-transport.ts'

/** Whoever hears nothing for so long connects anew (contract/notifications.ts). */
const heartbeatTimeoutMs = 60_000

export interface StreamOutcome {
  /** Whether the server said a count at all. */
  hasReceivedCount: boolean
  /** Milliseconds that the server asks to wait before the next try. */
  retryAfterMs: number
}

/**
 * Reads the stream until it ends, however it does: by `signal`, by the server, by a network that is gone.
 * A session that is over is forgotten, which is told; nobody is led away from what they read: they asked for nothing.
 */
export async function readStream(
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<StreamOutcome> {
  const outcome: StreamOutcome = { hasReceivedCount: false, retryAfterMs: 0 }
  const ending = new AbortController()
  const end = () => ending.abort()
  if (signal.aborted) return outcome
  signal.addEventListener('abort', end, { once: true })
  let silence = setTimeout(end, heartbeatTimeoutMs)
  try {
    const { body, headers } = await sendInBackground(streamNotifications, ending.signal, async (response) =>
      response.ok ? response.body : readJsonBody(response),
    )
    outcome.retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1000 || 0
    if (!(body instanceof ReadableStream)) return outcome
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return outcome
      clearTimeout(silence)
      silence = setTimeout(end, heartbeatTimeoutMs)
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
    // It ended: what is done about that is the caller's.
    return outcome
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Of an event's lines the data; a comment has none. */
function parseCount(event: string): number | null {
  const data = /^data: (.*)$/m.exec(event)?.[1]
  return data === undefined ? null : (JSON.parse(data) as { count: number }).count
}
