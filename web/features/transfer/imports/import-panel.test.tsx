import type { Import } from '@reelmark/contract/imports.ts'
import { CallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Upload } from '@reelmark/contract/uploads.ts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { importFieldErrors } from './import-errors.ts'
import { ImportPanel } from './import-panel.tsx'
import { noOutcomes, testImport, testSummary } from './imports.fixture.ts'

const user = userEvent.setup({ delay: null, applyAccept: false })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface ServerState {
  imports?: () => Import[]
  uploads?: () => Upload[]
  upload?: (path: string) => FakeAnswer | Promise<FakeAnswer>
  discard?: () => FakeAnswer | Promise<FakeAnswer>
}

async function renderPanel({
  imports = () => [],
  uploads = () => [],
  upload = () => [500],
  discard = () => [204],
}: ServerState = {}) {
  const requests = fakeApi(({ method, path }) => {
    if (method === 'DELETE') return discard()
    if (method === 'POST') return upload(path)
    const results = path.startsWith('/transfer/uploads/') ? uploads() : imports()
    return [200, { count: results.length, next: null, previous: null, results }]
  })
  const { path } = await renderPage(<ImportPanel />, { path: '/settings/data' })
  return { requests, path }
}

const choose = async (file: File) => user.upload(await screen.findByLabelText(/Choose a file/), file)

test('a file that is too large is refused without being sent', async () => {
  const { requests } = await renderPanel()
  const file = new File(['x'], 'export.json')
  Object.defineProperty(file, 'size', { value: limits.importMax + 1 })
  await choose(file)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(`The limit is ${formatBytes(limits.importMax)}`)
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
})

test('an upload shows its progress, and opens its review', async () => {
  let finish = () => {}
  const uploaded = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { requests, path } = await renderPanel({
    async upload() {
      await uploaded
      return [201, testImport({ id: 7, state: 'review', summary: testSummary() })]
    },
  })
  await choose(new File(['12345678'], 'links.txt'))
  const section = await screen.findByRole('region', { name: 'Upload of links.txt' })
  expect(document.activeElement).toBe(section)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50')
  finish()
  await waitFor(() => expect(path()).toBe('/settings/data/imports/7'))
  expect(requests.find(({ method }) => method === 'POST')?.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    authorization: 'Bearer access-1',
  })
})

test('an upload can be cancelled, and another file chosen', async () => {
  await renderPanel({ upload: () => new Promise(() => {}) })
  await choose(new File(['12345678'], 'links.txt'))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Choose a file')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

const bigSize = limits.uploadChunkMax + 10
const bigFile = () => new File([new Uint8Array(bigSize)], 'big.html', { lastModified: 1 })
const bigUpload = (offset: number): Upload => ({
  id: 5,
  name: 'big.html',
  size: bigSize,
  offset,
  expires_at: new Date(Date.now() + 1000).toISOString(),
})

test('a large file is sent in chunks, and waits for a lost connection', async () => {
  let isOffline = false
  let received = 0
  const { requests, path } = await renderPanel({
    upload(path) {
      if (path === '/transfer/uploads/') return [201, bigUpload(received)]
      if (path === '/transfer/uploads/5/import/')
        return [201, testImport({ id: 8, state: 'review', summary: testSummary() })]
      const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset'))
      if (offset !== received) return [409, { code: 'wrong-offset', detail: 'Elsewhere.' }]
      // The server stores the second chunk, but its response is lost.
      received = Math.min(bigSize, received + limits.uploadChunkMax)
      isOffline = !isOffline && received === bigSize
      return isOffline ? 'offline' : [200, bigUpload(received)]
    },
  })
  await choose(bigFile())
  expect(await screen.findByText(/^The connection was lost/)).toBeTruthy()
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(path()).toBe('/settings/data/imports/8'))
  expect(
    requests.find(({ method, path }) => method === 'POST' && path === '/transfer/uploads/')?.body,
  ).toEqual({
    name: 'big.html',
    size: bigSize,
    modified_at: '1970-01-01T00:00:00.001Z',
  })
})

const neverEnding = (path: string): FakeAnswer | Promise<FakeAnswer> =>
  path === '/transfer/uploads/' ? [201, bigUpload(0)] : new Promise(() => {})

test('cancelling the upload of a large file deletes what was sent before another can be chosen', async () => {
  let uploads: Upload[] = []
  let respond: (answer: FakeAnswer) => void = () => {}
  const { requests } = await renderPanel({
    uploads: () => uploads,
    upload: neverEnding,
    discard: () => new Promise((resolve) => (respond = resolve)),
  })
  await choose(bigFile())
  await waitFor(() => expect(requests.some(({ path }) => path.includes('/chunks/'))).toBe(true))
  uploads = [bigUpload(0)]
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      '/transfer/uploads/5/',
    ]),
  )
  expect(screen.queryByText('Choose a file')).toBeNull()
  uploads = []
  respond([204])
  expect(await screen.findByText('Choose a file')).toBeTruthy()
  expect(screen.queryByText('Unfinished upload')).toBeNull()
})

test('an upload ends when another user logs in', async () => {
  const { requests } = await renderPanel({ upload: neverEnding })
  await choose(bigFile())
  await waitFor(() => expect(requests.some(({ path }) => path.includes('/chunks/'))).toBe(true))
  act(() => signInAs('bob'))
  expect(await screen.findByText('Choose a file')).toBeTruthy()
})

test('an interrupted upload is shown with how to continue, and can be discarded', async () => {
  await renderPanel({ uploads: () => [bigUpload(1_048_576)] })
  expect(await screen.findByText(/^big.html: .* uploaded. Choose the file again to continue/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByText('Unfinished upload')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Choose a file/)))
})

test('a site that is busy is named as such, and not as a lost connection', async () => {
  const upload = (path: string): FakeAnswer =>
    path === '/transfer/uploads/' ? [201, bigUpload(0)] : [429, { code: 'rate-limited', detail: 'Wait.' }]
  await renderPanel({ upload })
  await choose(bigFile())
  expect(await screen.findByText(/^The site is busy/)).toBeTruthy()
  expect(screen.queryByText(/connection was lost/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('Choose a file')
})

test('an upload that another unfinished one blocks can replace it', async () => {
  let uploads = [bigUpload(10)]
  const { requests, path } = await renderPanel({
    uploads: () => uploads,
    upload: () =>
      uploads.length > 0
        ? [409, { code: 'already-running', detail: 'Running.' }]
        : [201, testImport({ id: 9, state: 'review', summary: testSummary() })],
    discard() {
      uploads = []
      return [204]
    },
  })
  await choose(new File(['12345678'], 'links.txt'))
  expect((await screen.findByRole('alert')).textContent).toContain('The upload of big.html is unfinished.')
  await user.click(screen.getByRole('button', { name: 'Discard it and upload this file' }))
  await waitFor(() => expect(path()).toBe('/settings/data/imports/9'))
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})

test('a file that the server cannot read is refused with the reason, and its errors with their locations', async () => {
  let answer: FakeAnswer = [400, { code: 'malformed-body', detail: "We don't know this kind of file." }]
  await renderPanel({ upload: () => answer })
  await choose(new File(['x'], 'x.bin'))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe("We don't know this kind of file.")
  expect(document.activeElement).toBe(alert)
  answer = [400, { code: 'invalid', bookmarks: { 3: { video: { title: ['Too long.'] } } } }]
  await choose(new File(['{}'], 'export.json'))
  expect(await screen.findByText('bookmarks, number 4, video, title: Too long.')).toBeTruthy()
  answer = 'offline'
  await choose(new File(['{}'], 'export.json'))
  expect(await screen.findByText(/Can't reach Reelmark/)).toBeTruthy()
})

test('imports are listed with their state; while one runs, no other can be uploaded', async () => {
  const running = testImport({
    id: 3,
    format: 'Pinboard',
    state: 'running',
    done: 1,
    total: 2,
    finished_at: null,
  })
  let list = [running, testImport({ id: 2, state: 'review', format: 'Raindrop' })]
  const { requests } = await renderPanel({ imports: () => list })
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  expect(screen.queryByText('Choose a file')).toBeNull()
  expect(screen.getByRole('link', { name: 'Raindrop' }).getAttribute('href')).toBe('/settings/data/imports/2')
  const outcomes = { ...noOutcomes, new: 1, held: 1, known: 4, rejected: 3 }
  list = [testImport({ outcomes, imported_videos: 2 })]
  expect(await screen.findByText('2 videos imported, 4 already saved')).toBeTruthy()
  expect(screen.getByText("3 couldn't be imported")).toBeTruthy()
  expect(screen.getByText('Choose a file')).toBeTruthy()
  expect(requests.every(({ method }) => method === 'GET')).toBe(true)
})

test('errors without a field are not listed as field errors', () => {
  expect(
    importFieldErrors(new CallError(409, { detail: 'One is already in progress.', code: 'already-running' })),
  ).toEqual([])
  expect(
    importFieldErrors(
      new CallError(400, { code: 'invalid', non_field_errors: ['Odd.'], likes: ['Too many.'] }),
    ),
  ).toEqual(['Odd.', 'likes: Too many.'])
})

test('an address is sent and its import opened; an error is shown at the field', async () => {
  let answer: FakeAnswer = [400, { code: 'invalid', url: ['Enter a valid URL.'] }]
  const { requests, path } = await renderPanel({ upload: () => answer })
  const field = await screen.findByLabelText('Web address')
  await user.type(field, ' nowhere ')
  await user.click(screen.getByRole('button', { name: 'Find videos' }))
  expect(await screen.findByText('Enter a valid URL.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  answer = [201, testImport({ id: 8, state: 'fetching', source_url: 'https://tube.example/' })]
  await user.clear(field)
  await user.type(field, 'tube.example')
  await user.click(screen.getByRole('button', { name: 'Find videos' }))
  await waitFor(() => expect(path()).toBe('/settings/data/imports/8'))
  const bodies = requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(bodies).toEqual([{ url: 'nowhere' }, { url: 'tube.example' }])
})
