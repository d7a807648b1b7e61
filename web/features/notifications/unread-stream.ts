/** The unread count as the server says it while one looks on: one connection, read until it ends. */
import { endpointUrl, isCallError } from '@reelmark/contract/call.ts'
import type { Endpoint } from '@reelmark/contract/endpoint.ts'
import { countUnread, streamNotifications } from '@reelmark/contract/notifications.ts'
import { authorised } from '../../api.ts'
import { fetchTransport, jsonBody } from '../../fetch-transport.ts'
import { leaveFor, loginPath } from '../../leave.ts'
import { clearSession } from '../../session-store.ts'
import { toast } from '../../ui/toast.tsx'

/** Whoever hears nothing for so long connects anew (contract/notifications.ts). */
const silenceMs = 60_000

export interface Heard {
  /** Whether the server said a count at all. */
  any: boolean
  /** Milliseconds that the server asks to wait before the next try. */
  wait: number
}

/**
 * Reads the stream until it ends, however it does: by `signal`, by the server, by a network that is gone.
 * A session that is over is forgotten, which is told; nobody is led away from what they read: they asked for nothing.
 */
export async function readStream(signal: AbortSignal, onCount: (count: number) => void): Promise<Heard> {
  const heard: Heard = { any: false, wait: 0 }
  const ending = new AbortController()
  const end = () => ending.abort()
  if (signal.aborted) return heard
  signal.addEventListener('abort', end, { once: true })
  let silence = setTimeout(end, silenceMs)
  try {
    const { body, headers } = await send(streamNotifications, ending.signal, async (response) =>
      response.ok ? response.body : jsonBody(response),
    )
    heard.wait = Number(headers.get('retry-after') ?? 0) * 1000 || 0
    if (!(body instanceof ReadableStream)) return heard
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return heard
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
      const events = (text + value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const count = countOf(event)
        if (count === null) continue
        heard.any = true
        onCount(count)
      }
    }
  } catch {
    // It ended: what is done about that is the caller's.
    return heard
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Asks once, where no stream comes through, or there is none. Null: no answer. */
export async function askCount(
  signal: AbortSignal,
  endpoint: Endpoint = countUnread,
): Promise<number | null> {
  try {
    const { status, body } = await send(endpoint, signal, jsonBody)
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
  const transport = authorised(fetchTransport(signal, read), sessionEnded)
  return transport({ method, url: endpointUrl({ path }), headers: {}, body: null })
}

function sessionEnded(): void {
  clearSession()
  const path = loginPath(window.location)
  toast("You've been logged out. Log in to continue.", {
    action: { label: 'Log in', run: () => leaveFor(path), href: path },
  })
}

/** Of an event's lines the data; a comment has none. */
function countOf(event: string): number | null {
  const data = /^data: (.*)$/m.exec(event)?.[1]
  return data === undefined ? null : (JSON.parse(data) as { count: number }).count
}
