import { render, screen } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../shared/session/session-store.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { Toaster } from '../../ui/toast.tsx'
import { followUnreadCount } from './follow-unread.ts'
import { getUnread, setUnread } from './unread.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>

interface Connection {
  path: string
  token: string | undefined
  signal: AbortSignal
  /** Says something on the stream. */
  send: (text: string) => void
  end: () => void
}

let connections: Connection[] = []
let streamStatus = 200
const stopFunctions: (() => void)[] = []
const unreadEvent = (count: number) => `event: unread\ndata: {"count":${count}}\n\n`

/** Locks as browsers have them: of each name one holder; who waits takes over. */
function fakeLocks() {
  const last = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, ...rest: [() => unknown] | [{ signal: AbortSignal }, () => unknown]) => {
      const [options, work] = rest.length === 1 ? [null, rest[0]] : rest
      const turn = (last.get(name) ?? Promise.resolve()).then(() =>
        options?.signal.aborted ? undefined : work(),
      )
      last.set(
        name,
        turn.catch(() => undefined),
      )
      return turn
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
      start: (given) => {
        controller = given
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
  // Nobody waits at random.
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

test('the count is heard as it is said, in pieces and between signs of life', async () => {
  startFollowing()
  await vi.waitFor(() => expect(streams()).toHaveLength(1))
  expect(connections[0]?.token).toBe('Bearer access-1')
  connections[0]?.send(unreadEvent(2))
  await vi.waitFor(() => expect(getUnread()).toBe(2))
  connections[0]?.send(': \n\nevent: unread\nda')
  connections[0]?.send('ta: {"count":100}\n\n')
  await vi.waitFor(() => expect(getUnread()).toBe(100))
})

test('a stream that ends is opened anew, and none once nobody follows it', async () => {
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

test('of several tabs one listens and the others hear of it; when it goes another listens', async () => {
  startFollowing()
  await vi.waitFor(() => expect(streams()).toHaveLength(1))
  const said: unknown[] = []
  const otherTab = new BroadcastChannel('reelmark-unread-alice')
  otherTab.onmessage = ({ data }) => said.push(data)
  startFollowing()
  connections[0]?.send(unreadEvent(3))
  await vi.waitFor(() => expect(said).toContain(3))
  // A tab that is opened now asks the one that listens.
  said.length = 0
  otherTab.postMessage('what is it?')
  await vi.waitFor(() => expect(said).toEqual([3]))
  otherTab.close()
  expect(streams()).toHaveLength(1)
  stopFunctions.shift()?.()
  await vi.waitFor(() => expect(streams()).toHaveLength(2))
})

test('whoever hears nothing for a minute connects anew, and asks where no stream comes through', async () => {
  vi.useFakeTimers()
  startFollowing()
  await vi.advanceTimersByTimeAsync(70_000)
  expect(streams()).toHaveLength(2)
  expect(connections[0]?.signal.aborted).toBe(true)
  streamStatus = 503
  await vi.advanceTimersByTimeAsync(200_000)
  expect(getUnread()).toBe(9)
})

test('a tab that is hidden for long lets go, and listens again when it is looked at', async () => {
  vi.useFakeTimers()
  startFollowing()
  await vi.advanceTimersByTimeAsync(10)
  const look = (visibility: string) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility as DocumentVisibilityState)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  look('hidden')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(streams().at(-1)?.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(300_000)
  const before = streams().length
  expect(streams().at(-1)?.signal.aborted).toBe(true)
  look('visible')
  await vi.advanceTimersByTimeAsync(10)
  expect(streams().length).toBe(before + 1)
})

test('where there are no locks the count is asked for, now and then', async () => {
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: undefined } }))
  startFollowing()
  await vi.waitFor(() => expect(getUnread()).toBe(9))
  expect(streams()).toHaveLength(0)
})

test('a session that is over is forgotten, which is told, and nobody is led away', async () => {
  streamStatus = 401
  const href = window.location.href
  render(createElement(Toaster))
  startFollowing()
  await vi.waitFor(() => expect(getSession().status).toBe('signed-out'))
  await screen.findByText("You've been logged out. Log in to continue.")
  expect(screen.getByRole('link', { name: 'Log in' })).toHaveProperty('pathname', '/login')
  expect(window.location.href).toBe(href)
})
