import type { Import } from '@reelmark/contract/imports.ts'
import { CallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Export } from '@reelmark/contract/transfer.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileNameFromHeader } from '../../shared/api/download.ts'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import { importFieldErrors } from './import-file.ts'
import { TransferSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null, applyAccept: false })

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
  source_name: null,
  expires_at: later,
  ...more,
})
const noOutcomes: Import['outcomes'] = {
  new: 0,
  changed: 0,
  held: 0,
  known: 0,
  skipped: 0,
  rejected: 0,
  undone: 0,
  retained: 0,
}
const testImport = (more: Partial<Import> = {}): Import => ({
  id: 1,
  state: 'done',
  format: 'Reelmark',
  is_own_format: true,
  ignored_files: 0,
  summary: null,
  columns: null,
  done: 5,
  total: 5,
  outcomes: noOutcomes,
  can_undo: false,
  created_at: earlier,
  finished_at: earlier,
  expires_at: later,
  ...more,
})
const testFile = {
  format: 'reelmark',
  version: 1,
  exported_at: earlier,
  username: 'bob',
  profile: {},
  collections: [{}],
  bookmarks: [{}, {}],
  likes: [],
  following: [],
  comments: [{}],
}

interface ServerState {
  exports?: () => Export[]
  imports?: () => Import[]
  answers?: Record<string, FakeAnswer>
}

async function renderPanel({ exports = () => [], imports = () => [], answers = {} }: ServerState = {}) {
  const requests = fakeApi(({ path, method }) => {
    const pathWithoutQuery = path.split('?')[0] ?? path
    const fakeReply = answers[`${method} ${pathWithoutQuery}`]
    if (fakeReply !== undefined) return fakeReply
    const results =
      pathWithoutQuery === '/transfer/exports/'
        ? exports()
        : pathWithoutQuery === '/transfer/imports/'
          ? imports()
          : null
    if (results === null) return [404, { detail: 'Not found.', code: 'not-found' }]
    return [200, { count: results.length, next: null, previous: null, results }]
  })
  await renderPage(<TransferSettingsPanel />)
  await screen.findByText('Choose a file')
  return requests
}

const transferFile = (content: unknown) =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], 'export.json')
const choose = (file: File) => user.upload(screen.getByLabelText(/Choose a file/), file)

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

test.for<[string, unknown, string]>([
  ['a newer version', { ...testFile, version: 2 }, 'This file was created by a newer version of Reelmark'],
  ['incomplete', { ...testFile, likes: undefined }, 'This file is incomplete.'],
])('a file that is %s is rejected before it is sent', async ([, content, text]) => {
  const requests = await renderPanel()
  await choose(transferFile(content))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(text)
  expect(document.activeElement).toBe(alert)
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
  expect(screen.getByText('Choose a file')).toBeTruthy()
})

test('a file that is too large is rejected without being read', async () => {
  await renderPanel()
  const file = transferFile(testFile)
  Object.defineProperty(file, 'size', { value: limits.importMax + 1 })
  const read = vi.spyOn(file, 'text')
  await choose(file)
  expect((await screen.findByRole('alert')).textContent).toContain(
    `The limit is ${formatBytes(limits.importMax)}`,
  )
  expect(read).not.toHaveBeenCalled()
})

test('a file’s contents are shown before it is sent, then the progress and the result', async () => {
  let list: Import[] = []
  const running = testImport({ state: 'running', done: 1, total: 2, finished_at: null })
  const requests = await renderPanel({
    imports: () => list,
    answers: {
      'POST /transfer/imports/': [201, testImport({ state: 'review' })],
      'POST /transfer/imports/1/start/': [200, running],
    },
  })
  await choose(transferFile(testFile))
  expect(await screen.findByText(/From bob/)).toBeTruthy()
  expect(screen.getByText('Bookmarks').parentElement?.textContent).toBe('Bookmarks2')
  list = [running]
  await user.click(screen.getByRole('button', { name: 'Import' }))
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual(JSON.parse(JSON.stringify(testFile)))
  list = [testImport({ outcomes: { ...noOutcomes, new: 1, known: 1, rejected: 1 } })]
  expect(await screen.findByText('1 imported, 1 already saved')).toBeTruthy()
  expect(screen.getByText("1 item couldn't be imported.")).toBeTruthy()
})

test.for<[string, unknown]>([
  ['a text', 'https://vimeo.com/1'],
  ['broken JSON', '{"format":"reelmark"'],
  ['another object', { format: 'other' }],
  ['a list', [1]],
])('%s is sent as a file of another tool after what happens to it is explained', async ([, content]) => {
  const requests = await renderPanel({
    answers: {
      'POST /transfer/imports/': [
        400,
        { code: 'malformed-body', detail: "We don't know this kind of file." },
      ],
    },
  })
  await choose(transferFile(content))
  expect(await screen.findByText(/from another service/)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Import of export.json' }))
  await user.click(screen.getByRole('button', { name: 'Import' }))
  expect((await screen.findByRole('alert')).textContent).toBe("We don't know this kind of file.")
  expect(requests.find(({ method }) => method === 'POST')?.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    authorization: 'Bearer access-1',
  })
})

test('a file refused by the server stays chosen, and its errors are listed with their locations', async () => {
  await renderPanel({
    answers: {
      'POST /transfer/imports/': [
        400,
        { code: 'invalid', bookmarks: { 3: { video: { title: ['Too long.'] } } } },
      ],
    },
  })
  await choose(transferFile(testFile))
  await user.click(await screen.findByRole('button', { name: 'Import' }))
  expect(await screen.findByText('bookmarks, number 4, video, title: Too long.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Import' })).toBeTruthy()
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
