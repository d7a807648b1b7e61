import type { Export } from '@reelmark/contract/transfer.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileNameFromHeader } from '../../shared/api/download.ts'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import { TransferSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const later = new Date(Date.now() + 864e5).toISOString()
const earlier = new Date(Date.now() - 864e5).toISOString()
const testExport = (more: Partial<Export> = {}): Export => ({
  id: 1,
  state: 'done',
  done: 5,
  total: 5,
  created_at: earlier,
  finished_at: earlier,
  size: 2_480_311,
  format: 'json',
  pictures_count: null,
  source_name: null,
  expires_at: later,
  ...more,
})
interface ServerState {
  exports?: () => Export[]
  answers?: Record<string, FakeAnswer>
}

async function renderPanel({ exports = () => [], answers = {} }: ServerState = {}) {
  const requests = fakeApi(({ path, method }) => {
    const pathWithoutQuery = path.split('?')[0] ?? path
    const fakeReply = answers[`${method} ${pathWithoutQuery}`]
    if (fakeReply !== undefined) return fakeReply
    if (pathWithoutQuery === '/subscriptions/') return [200, []]
    const results =
      pathWithoutQuery === '/transfer/exports/'
        ? exports()
        : pathWithoutQuery === '/transfer/imports/'
          ? []
          : null
    if (results === null) return [404, { detail: 'Not found.', code: 'not-found' }]
    return [200, { count: results.length, next: null, previous: null, results }]
  })
  await renderPage(<TransferSettingsPanel />)
  await screen.findByText('Choose a file')
  return requests
}

test('an export shows its progress, then its file', async () => {
  let list: Export[] = []
  const running = testExport({ state: 'running', done: 1200, total: 3400, size: null, finished_at: null })
  await renderPanel({ exports: () => list, answers: { 'POST /transfer/exports/': [201, running] } })
  expect(await screen.findByText(/No exports yet/)).toBeTruthy()
  list = [running]
  await user.click(screen.getByRole('button', { name: 'Create export' }))
  expect(await screen.findByText('1,200 of 3,400')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('35')
  expect(screen.getByRole('button', { name: 'Create export' })).toHaveProperty('disabled', true)
  list = [testExport()]
  expect(await screen.findByText('2.5 MB')).toBeTruthy()
  expect(screen.getByText('Your file is ready.')).toBeTruthy()
})

test('an export is downloaded with the access token and saved under the name in the response', async () => {
  const saved: { name: string; blob: Blob }[] = []
  let blob = new Blob()
  URL.createObjectURL = (object) => {
    blob = object as Blob
    return 'blob:x'
  }
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob })
  })
  const requests = await renderPanel({
    exports: () => [testExport()],
    answers: {
      'GET /transfer/exports/1/file/': [
        200,
        { format: 'reelmark' },
        { 'content-disposition': 'attachment; filename="reelmark-alice.json"' },
      ],
    },
  })
  await user.click(await screen.findByRole('button', { name: /^Download export/ }))
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['reelmark-alice.json']))
  expect(await saved[0]?.blob.text()).toBe('{"format":"reelmark"}')
  expect(requests.find(({ path }) => path.endsWith('/file/'))?.headers.authorization).toBe('Bearer access-1')
})

test('an expired file is listed without a download button', async () => {
  await renderPanel({ exports: () => [testExport({ expires_at: earlier })] })
  expect(await screen.findByText('Expired')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Download export/ })).toBeNull()
})

test.for<[string | null, string | null]>([
  ['attachment; filename="a b.json"', 'a b.json'],
  ['attachment; filename=a.json; size=3', 'a.json'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment', null],
  [null, null],
])('the header %j names the file %j', ([header, name]) => {
  expect(fileNameFromHeader(header)).toBe(name)
})

test('sizes are formatted as in file managers', () => {
  expect([812, 1_400, 2_480_311, 340_000_000].map(formatBytes)).toEqual([
    '812 bytes',
    '1.4 KB',
    '2.5 MB',
    '340 MB',
  ])
})
