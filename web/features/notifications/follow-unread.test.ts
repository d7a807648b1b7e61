import { render, screen } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../shared/session/session-store.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { Toaster } from '../../ui/toaster.tsx'
import { followUnreadCount } from './follow-unread.ts'
import { getUnread, setUnread } from './unread.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>

interface Connection {
  path: string
  token: string | undefined
  signal: AbortSignal
  /** Sends text on the stream. */
  send: (text: string) => void
  end: () => void
}

let connections: Connection[] = []
let streamStatus = 200
const stopFunctions: (() => void)[] = []
const unreadEvent = (count: number) => `event: unread\ndata: {"count":${count}}\n\n`

/** Simulates browser locks: a name has one holder, and the next waiting task takes over. */
function fakeLocks() {
  const last = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, ...rest: [() => unknown] | [{ signal: AbortSignal }, () => unknown]) => {
      const [options, work] = rest.length === 1 ? [null, rest[0]] : rest
      const request = (last.get(name) ?? Promise.resolve()).then(() =>
        options?.signal.aborted ? undefined : work(),
      )
      last.set(
        name,
        request.catch(() => undefined),
      )
      return request
    },
  }
}

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
  connections = []
  streamStatus = 200
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: fakeLocks() } }))
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: RequestInit) => {
    let controller: Controller | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (streamController) => {
        controller = streamController
      },
    })
    signal?.addEventListener('abort', () => controller?.error(signal.reason))
    connections.push({
      path: url,
      token: (headers as Record<string, string>).authorization,
      signal: signal as AbortSignal,
      send: (text) => controller?.enqueue(new TextEncoder().encode(text)),
      end: () => controller?.close(),
    })
    if (url.endsWith('/unread/')) return Response.json({ count: 9 })
    return streamStatus === 200 ? new Response(body) : Response.json({}, { status: streamStatus })
  })
  // Makes delays predictable.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  for (const stop of stopFunctions.splice(0)) stop()
  setUnread(null)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const startFollowing = () => stopFunctions.push(followUnreadCount('alice'))
const streams = () => connections.filter(({ path }) => path === '/api/notifications/stream/')

test('counts are read from the stream, also in pieces and between heartbeats', async () => {
  startFollowing()
  await vi.waitFor(() => expect(streams()).toHaveLength(1))
  expect(connections[0]?.token).toBe('Bearer access-1')
  connections[0]?.send(unreadEvent(2))
  await vi.waitFor(() => expect(getUnread()).toBe(2))
  connections[0]?.send(': \n\nevent: unread\nda')
  connections[0]?.send('ta: {"count":100}\n\n')
  await vi.waitFor(() => expect(getUnread()).toBe(100))
})

test('an ended stream is reopened, and the stream closes when following stops', async () => {
  startFollowing()
  await vi.waitFor(() => expect(streams()).toHaveLength(1))
  connections[0]?.send(unreadEvent(1))
  await vi.waitFor(() => expect(getUnread()).toBe(1))
  connections[0]?.end()
  await vi.waitFor(() => expect(streams()).toHaveLength(2))
  stopFunctions.pop()?.()
  expect(connections[1]?.signal.aborted).toBe(true)
  expect(getUnread()).toBeNull()
})

test('one tab holds the stream and informs the others, and another takes over when it stops', async () => {
  startFollowing()
  await vi.waitFor(() => expect(streams()).toHaveLength(1))
  const messages: unknown[] = []
  const otherTab = new BroadcastChannel('reelmark-unread-alice')
  otherTab.onmessage = ({ data }) => messages.push(data)
  startFollowing()
  connections[0]?.send(unreadEvent(3))
  await vi.waitFor(() => expect(messages).toContain(3))
  // A newly opened tab asks the tab that holds the stream.
  messages.length = 0
  otherTab.postMessage('count?')
  await vi.waitFor(() => expect(messages).toEqual([3]))
  otherTab.close()
  expect(streams()).toHaveLength(1)
  stopFunctions.shift()?.()
  await vi.waitFor(() => expect(streams()).toHaveLength(2))
})

test('a silent stream is reopened after a minute, and the count is polled if no stream works', async () => {
  vi.useFakeTimers()
  startFollowing()
  await vi.advanceTimersByTimeAsync(70_000)
  expect(streams()).toHaveLength(2)
  expect(connections[0]?.signal.aborted).toBe(true)
  streamStatus = 503
  await vi.advanceTimersByTimeAsync(200_000)
  expect(getUnread()).toBe(9)
})

test('a tab hidden for long closes the stream and reopens it when visible', async () => {
  vi.useFakeTimers()
  startFollowing()
  await vi.advanceTimersByTimeAsync(10)
  const setVisibility = (visibility: string) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility as DocumentVisibilityState)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  setVisibility('hidden')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(streams().at(-1)?.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(300_000)
  const before = streams().length
  expect(streams().at(-1)?.signal.aborted).toBe(true)
  setVisibility('visible')
  await vi.advanceTimersByTimeAsync(10)
  expect(streams().length).toBe(before + 1)
})

test('without browser locks, the count is polled', async () => {
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: undefined } }))
  startFollowing()
  await vi.waitFor(() => expect(getUnread()).toBe(9))
  expect(streams()).toHaveLength(0)
})

test('an ended session is cleared with a toast, and the page stays', async () => {
  streamStatus = 401
  const href = window.location.href
  render(createElement(Toaster))
  startFollowing()
  await vi.waitFor(() => expect(getSession().status).toBe('signed-out'))
  await screen.findByText("You've been logged out. Log in to continue.")
  expect(screen.getByRole('link', { name: 'Log in' })).toHaveProperty('pathname', '/login')
  expect(window.location.href).toBe(href)
})
