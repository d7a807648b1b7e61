import { CallError } from '@reelmark/contract/call.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { Export, Import } from '@reelmark/contract/transfer.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileName } from '../../download.ts'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { freshBrowser, signedInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { byteSize } from './byte-size.ts'
import { DataSection } from './data-section.tsx'
import { fieldProblems } from './import-file.ts'

const user = userEvent.setup({ delay: null, applyAccept: false })

beforeEach(() => {
  freshBrowser()
  signedInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const later = new Date(Date.now() + 864e5).toISOString()
const earlier = new Date(Date.now() - 864e5).toISOString()
const anExport = (more: Partial<Export> = {}): Export => ({
  id: 1,
  state: 'done',
  done: 5,
  total: 5,
  created_at: earlier,
  finished_at: earlier,
  size: 2_480_311,
  expires_at: later,
  ...more,
})
const anImport = (more: Partial<Import> = {}): Import => ({
  id: 1,
  state: 'done',
  done: 5,
  total: 5,
  created_at: earlier,
  finished_at: earlier,
  added: 0,
  already_there: 0,
  left_out: 0,
  problems: [],
  ...more,
})
const aFile = {
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

interface World {
  exports?: () => Export[]
  imports?: () => Import[]
  answers?: Record<string, FakeAnswer>
}

async function show({ exports = () => [], imports = () => [], answers = {} }: World = {}) {
  const requests = fakeApi(({ path, method }) => {
    const bare = path.split('?')[0] ?? path
    const given = answers[`${method} ${bare}`]
    if (given !== undefined) return given
    const results =
      bare === '/transfer/exports/' ? exports() : bare === '/transfer/imports/' ? imports() : null
    if (results === null) return [404, { detail: 'Not found.' }]
    return [200, { count: results.length, next: null, previous: null, results }]
  })
  await renderPage(<DataSection />)
  await screen.findByText('Choose a file')
  return requests
}

const fileOf = (content: unknown) =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], 'export.json')
const choose = (file: File) => user.upload(screen.getByLabelText(/Choose a file/), file)

test('an export shows how far it is, and then its file', async () => {
  let list: Export[] = []
  const running = anExport({ state: 'running', done: 1200, total: 3400, size: null, finished_at: null })
  await show({ exports: () => list, answers: { 'POST /transfer/exports/': [201, running] } })
  expect(await screen.findByText(/No exports yet/)).toBeTruthy()
  list = [running]
  await user.click(screen.getByRole('button', { name: 'Create export' }))
  expect(await screen.findByText('1,200 of 3,400')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('35')
  expect(screen.getByRole('button', { name: 'Create export' })).toHaveProperty('disabled', true)
  list = [anExport()]
  expect(await screen.findByText('2.5 MB')).toBeTruthy()
  expect(screen.getByText('Your file is ready.')).toBeTruthy()
})

test('the file is fetched as who is signed in, and saved under the name that the reply gives', async () => {
  const saved: { name: string; blob: Blob }[] = []
  let blob = new Blob()
  URL.createObjectURL = (object) => {
    blob = object as Blob
    return 'blob:x'
  }
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob })
  })
  const requests = await show({
    exports: () => [anExport()],
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

test('an expired file is listed and not offered', async () => {
  await show({ exports: () => [anExport({ expires_at: earlier })] })
  expect(await screen.findByText('Expired')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Download export/ })).toBeNull()
})

test.for<[string, unknown, string]>([
  ['no JSON', 'not json at all', "This isn't a Reelmark export."],
  ['another format', { format: 'other' }, "This isn't a Reelmark export."],
  ['a list', [1], "This isn't a Reelmark export."],
  ['a newer version', { ...aFile, version: 2 }, 'This file was created by a newer version of Reelmark'],
  ['half a file', { ...aFile, likes: undefined }, 'This file is incomplete.'],
])('a file that is %s is refused before it is sent', async ([, content, text]) => {
  const requests = await show()
  await choose(fileOf(content))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(text)
  expect(document.activeElement).toBe(alert)
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
  expect(screen.getByText('Choose a file')).toBeTruthy()
})

test('a file that is too large is refused without being read', async () => {
  await show()
  const file = fileOf(aFile)
  Object.defineProperty(file, 'size', { value: limits.importMax + 1 })
  const read = vi.spyOn(file, 'text')
  await choose(file)
  expect((await screen.findByRole('alert')).textContent).toContain(
    `The limit is ${byteSize(limits.importMax)}`,
  )
  expect(read).not.toHaveBeenCalled()
})

test('what a file holds is shown before it is sent, and then how far it is and what came of it', async () => {
  let list: Import[] = []
  const running = anImport({ state: 'running', done: 1, total: 2, finished_at: null })
  const requests = await show({ imports: () => list, answers: { 'POST /transfer/imports/': [201, running] } })
  await choose(fileOf(aFile))
  expect(await screen.findByText(/From bob/)).toBeTruthy()
  expect(screen.getByText('Bookmarks').parentElement?.textContent).toBe('Bookmarks2')
  list = [running]
  await user.click(screen.getByRole('button', { name: 'Import' }))
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual(JSON.parse(JSON.stringify(aFile)))
  list = [
    anImport({
      added: 1,
      already_there: 1,
      left_out: 1,
      problems: [{ what: 'https://a.example/v', why: 'It is gone.' }],
    }),
  ]
  expect(await screen.findByText('1 imported, 1 already saved')).toBeTruthy()
  expect(screen.getByText('It is gone.')).toBeTruthy()
})

test('a file that the server refuses stays chosen, and its problems are read out with their places', async () => {
  await show({
    answers: { 'POST /transfer/imports/': [400, { bookmarks: { 3: { video: { title: ['Too long.'] } } } }] },
  })
  await choose(fileOf(aFile))
  await user.click(await screen.findByRole('button', { name: 'Import' }))
  expect(await screen.findByText('bookmarks, number 4, video, title: Too long.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Import' })).toBeTruthy()
})

test('problems without a field are none of a field', () => {
  expect(fieldProblems(new CallError(409, { detail: 'One is already in progress.' }))).toEqual([])
  expect(fieldProblems(new CallError(400, { non_field_errors: ['Odd.'], likes: ['Too many.'] }))).toEqual([
    'Odd.',
    'likes: Too many.',
  ])
})

test.for<[string | null, string | null]>([
  ['attachment; filename="a b.json"', 'a b.json'],
  ['attachment; filename=a.json; size=3', 'a.json'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment', null],
  [null, null],
])('%j names the file %j', ([header, name]) => {
  expect(fileName(header)).toBe(name)
})

test('sizes are told as file managers do', () => {
  expect([812, 1_400, 2_480_311, 340_000_000].map(byteSize)).toEqual([
    '812 bytes',
    '1.4 KB',
    '2.5 MB',
    '340 MB',
  ])
})
