/** The unread count as the server says it while one looks on: one connection, read until it ends. */

import { countUnread, streamNotifications } from '@reelmark/contract/notifications.ts'
import { endpointUrl, isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { authorisedTransport } from '../../shared/api/api.ts'
import { fetchTransport, readJsonBody } from '../../shared/api/fetch-transport.ts'
import { loginPath, redirectTo } from '../../shared/session/redirects.ts'
import { clearSession } from '../../shared/session/session-store.ts'
import { toast } from '../../ui/toast.tsx'

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
    const { body, headers } = await send(streamNotifications, ending.signal, async (response) =>
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

/** Asks once, where no stream comes through, or there is none. Null: no answer. */
export async function fetchUnreadCount(
  signal: AbortSignal,
  endpoint: Endpoint = countUnread,
): Promise<number | null> {
  try {
    const { status, body } = await send(endpoint, signal, readJsonBody)
    return status === 200 ? (body as { count: number }).count : null
  } catch (error) {
    if (isCallError(error) || signal.aborted) return null
    throw error
  }
}

function send(
  { method, path }: Endpoint,
  signal: AbortSignal,
  read: (response: Response) => Promise<unknown>,
) {
  const transport = authorisedTransport(fetchTransport(signal, read), isSessionEnded)
  return transport({ method, url: endpointUrl({ path }), headers: {}, body: null })
}

function isSessionEnded(): void {
  clearSession()
  const path = loginPath(window.location)
  toast("You've been logged out. Log in to continue.", {
    action: { label: 'Log in', run: () => redirectTo(path), href: path },
  })
}

/** Of an event's lines the data; a comment has none. */
function parseCount(event: string): number | null {
  const data = /^data: (.*)$/m.exec(event)?.[1]
  return data === undefined ? null : (JSON.parse(data) as { count: number }).count
}
