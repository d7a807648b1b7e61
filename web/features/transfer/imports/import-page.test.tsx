import type { Import, ImportOutcomeName, ImportRow } from '@reelmark/contract/imports.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { ImportPage } from './import-page.tsx'
import { noOutcomes, testImport, testSummary } from './imports.fixture.ts'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Page({ start }: { start: ImportOutcomeName | null }) {
  const [outcome, setOutcome] = useState(start)
  return <ImportPage id={1} outcome={outcome} onOutcome={setOutcome} />
}

interface ServerState {
  item: () => Import
  rows?: (query: URLSearchParams) => { results: ImportRow[]; next?: string }
  answers?: Record<string, () => FakeAnswer>
  outcome?: ImportOutcomeName
}

async function openImport({ item, rows = () => ({ results: [] }), answers = {}, outcome }: ServerState) {
  const requests = fakeApi(({ path, method }) => {
    const [pathname = '', query = ''] = path.split('?')
    const answer = answers[`${method} ${pathname}`]
    if (answer !== undefined) return answer()
    if (pathname === '/transfer/imports/1/') return [200, item()]
    if (pathname === '/transfer/imports/1/rows/') {
      const { results, next = null } = rows(new URLSearchParams(query))
      return [200, { count: results.length, next, previous: null, results }]
    }
    return [200, { count: 0, next: null, previous: null, results: [] }]
  })
  const page = await renderPage(<Page start={outcome ?? null} />, { path: '/settings/data/imports/1' })
  return { requests, path: page.path }
}

const sent = (requests: { method: string; path: string; body: unknown }[], method: string) =>
  requests.filter((request) => request.method === method).map(({ path, body }) => [path, body])

const testRow = (more: Partial<ImportRow> = {}): ImportRow => ({
  id: 1,
  file: null,
  row: 1,
  kind: 'bookmark',
  what: 'A film',
  url: 'https://vimeo.com/1',
  outcome: 'new',
  reason: '',
  bookmark_id: 5,
  ...more,
})

test('a review shows what is in the file, and starts the import with the chosen options', async () => {
  const review = testImport({
    state: 'review',
    ignored_files: 2,
    summary: testSummary({
      videos: 1200,
      plain_links: 30,
      in_vault: 7,
      access_unknown: 3,
      collections_count: 120,
      collections: [{ name: 'Talks', access: null, videos: 3, plain_links: 1, channels: 2 }],
      history: 900,
      rejected: 4,
      rejected_reasons: [{ reason: 'No link.', count: 4 }],
      rejected_sample: [{ file: 'a.csv', row: 12, what: 'Nothing', reason: 'No link.' }],
      sample: [
        {
          title: 'A talk',
          url: 'https://vimeo.com/1',
          is_video: false,
          folders: ['Talks', '2020'],
          tags: ['code'],
          saved_at: null,
          is_private: true,
        },
      ],
    }),
  })
  const running = testImport({ state: 'running', done: 3, total: 8 })
  let item = review
  const { requests } = await openImport({
    item: () => item,
    answers: {
      'POST /transfer/imports/1/start/': () => {
        item = running
        return [200, running]
      },
    },
  })
  expect((await screen.findByText('Videos')).parentElement?.textContent).toBe('Videos1,200')
  expect(screen.getByText('A talk')).toBeTruthy()
  expect(screen.getByText('Talks / 2020 · code')).toBeTruthy()
  expect(screen.getByText(/and 119 more/)).toBeTruthy()
  expect(screen.getByText(/Row 12 of a.csv/)).toBeTruthy()
  expect(screen.getByText(/2 files contained nothing to import/)).toBeTruthy()
  expect(screen.getByText(/1,200 links will be imported/)).toBeTruthy()
  await user.click(screen.getByLabelText(/Also import 30 other links/))
  expect(screen.getByText(/1,230 links will be imported/)).toBeTruthy()
  await user.click(screen.getByLabelText('Add 900 watched videos to your History'))
  expect(screen.getByText(/2,130 links will be imported/)).toBeTruthy()
  await user.click(screen.getByLabelText('Import everything into one collection'))
  await user.click(screen.getByLabelText('Everyone'))
  await user.click(screen.getByRole('button', { name: 'Start import' }))
  expect(await screen.findByText('3 of 8')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Progress' }))
  expect(sent(requests, 'POST')).toEqual([
    ['/transfer/imports/1/start/', { plain_links: true, folders: false, access: 'public', history: true }],
  ])
  item = testImport({ outcomes: { ...noOutcomes, new: 7, held: 1 }, imported_videos: 6 })
  expect(await screen.findByText('6 videos and 2 other items imported')).toBeTruthy()
})

test('the options of a review survive a reload, and a review with nothing selected cannot be started', async () => {
  const summary = testSummary({ videos: 0, plain_links: 3 })
  await openImport({ item: () => testImport({ state: 'review', summary }) })
  expect(await screen.findByText(/^Nothing is selected yet/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Start import' })).toHaveProperty('disabled', true)
  await user.click(screen.getByLabelText(/Also import 3 other links/))
  cleanup()
  await openImport({ item: () => testImport({ state: 'review', summary }) })
  expect(await screen.findByLabelText(/Also import 3 other links/)).toHaveProperty('checked', true)
  expect(screen.getByRole('button', { name: 'Start import' })).toHaveProperty('disabled', false)
})

test('of a Reelmark export only the history can be left out', async () => {
  const summary = testSummary({
    videos: 2,
    history: 5,
    plain_links: 0,
    collections_count: 1,
    access_unknown: 1,
  })
  const review = testImport({ state: 'review', is_own_format: true, summary })
  const { requests } = await openImport({
    item: () => review,
    answers: { 'POST /transfer/imports/1/start/': () => [200, testImport({ state: 'running' })] },
  })
  const choice = await screen.findByLabelText('Add 5 watched videos to your History')
  expect(choice).toHaveProperty('checked', true)
  expect(screen.getByText(/7 items will be imported/)).toBeTruthy()
  expect(screen.queryByLabelText('Everyone')).toBeNull()
  await user.click(choice)
  await user.click(screen.getByRole('button', { name: 'Start import' }))
  await waitFor(() =>
    expect(sent(requests, 'POST')).toEqual([['/transfer/imports/1/start/', { history: false }]]),
  )
})

test('a review can be discarded; one that was started in another tab shows its progress instead', async () => {
  let item = testImport({ state: 'review', summary: testSummary() })
  let answer: FakeAnswer = [409, { code: 'not-in-review', detail: 'This import has been started already.' }]
  const { path } = await openImport({
    item: () => item,
    answers: { 'DELETE /transfer/imports/1/': () => answer },
  })
  const discard = await screen.findByRole('button', { name: 'Discard' })
  item = testImport({ state: 'running', done: 1, total: 2 })
  await user.click(discard)
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  cleanup()
  item = testImport({ state: 'review', summary: testSummary() })
  answer = [204]
  const second = await openImport({
    item: () => item,
    answers: { 'DELETE /transfer/imports/1/': () => answer },
  })
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(second.path()).toBe('/settings/data'))
  expect(path()).toBe('/settings/data/imports/1')
})

test('the columns of a table are corrected before the import is started', async () => {
  const columns = {
    headers: ['name', ''],
    sample: [['A film', 'https://vimeo.com/1']],
    mapping: { url: 0 },
  }
  const review = testImport({ state: 'review', columns, summary: testSummary({ videos: 1, rejected: 2 }) })
  const corrected = {
    ...review,
    columns: { ...columns, mapping: { url: 1, title: 0 } },
    summary: testSummary(),
  }
  let item = review
  const server: ServerState = {
    item: () => item,
    answers: {
      'PATCH /transfer/imports/1/': () => {
        item = corrected
        return [200, corrected]
      },
    },
  }
  await openImport(server)
  const table = within(await screen.findByRole('region', { name: 'First rows' }))
  expect(table.getByText('https://vimeo.com/1')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Apply columns' })).toHaveProperty('disabled', true)
  await user.selectOptions(screen.getByLabelText('Link'), 'Column 2')
  await user.selectOptions(screen.getByLabelText('Title'), '1: name')
  expect(screen.getByText('Apply the changed columns first.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Start import' })).toHaveProperty('disabled', true)
  // As after a reload.
  cleanup()
  const { requests } = await openImport(server)
  expect(await screen.findByLabelText('Link')).toHaveProperty('value', '1')
  expect(screen.getByLabelText('Title')).toHaveProperty('value', '0')
  await user.click(screen.getByRole('button', { name: 'Apply columns' }))
  expect(await screen.findByText('The file was read again: 2 videos found.')).toBeTruthy()
  expect(sent(requests, 'PATCH')).toEqual([['/transfer/imports/1/', { mapping: { url: 1, title: 0 } }]])
  expect(screen.getByRole('button', { name: 'Start import' })).toHaveProperty('disabled', false)
})

test('the report lists the items of an outcome page by page', async () => {
  const outcomes = { ...noOutcomes, new: 2, rejected: 1 }
  const { requests } = await openImport({
    item: () => testImport({ outcomes }),
    rows(query) {
      if (query.get('outcome') === 'rejected') {
        const row = { outcome: 'rejected', bookmark_id: null, reason: 'No link.', what: 'Nothing' } as const
        return { results: [testRow({ id: 9, url: '', file: 'b.csv', row: 1200, ...row })] }
      }
      const id = query.get('page') === '2' ? 2 : 1
      const next = id === 1 ? { next: '/api/transfer/imports/1/rows/?page=2&cursor=c' } : {}
      return { results: [testRow({ id, what: `Film ${id}` })], ...next }
    },
  })
  expect((await screen.findByRole('link', { name: 'Film 1' })).getAttribute('href')).toBe('/bookmarks/5')
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByRole('link', { name: 'Film 2' })).toBeTruthy()
  expect(requests.at(-1)?.path).toContain('cursor=c')
  await user.selectOptions(screen.getByLabelText('Show'), "Couldn't be imported (1)")
  expect(await screen.findByText('No link.')).toBeTruthy()
  expect(screen.getByText('Bookmark, row 1,200 of b.csv')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Film 1' })).toBeNull()
})

test('an import is undone after a question', async () => {
  let item = testImport({ can_undo: true, outcomes: { ...noOutcomes, new: 2 } })
  const { requests } = await openImport({
    item: () => item,
    answers: {
      'POST /transfer/imports/1/undo/': () => {
        item = testImport({ state: 'undoing', done: 0, total: 2 })
        return [200, item]
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Undo this import' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo this import?' }))
  await user.click(dialog.getByRole('button', { name: 'Undo import' }))
  expect(await screen.findByText('0 of 2')).toBeTruthy()
  expect(sent(requests, 'POST')).toEqual([['/transfer/imports/1/undo/', null]])
  item = testImport({ state: 'undone', outcomes: { ...noOutcomes, undone: 1, retained: 1 } })
  expect(await screen.findByText('1 item deleted again, 1 not deleted.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo this import' })).toBeNull()
})

test('an import that does not exist is not found', async () => {
  await openImport({
    item: testImport,
    answers: { 'GET /transfer/imports/1/': () => [404, { code: 'not-found', detail: 'Not found.' }] },
  })
  expect(await screen.findByText("This import doesn't exist, or was deleted.")).toBeTruthy()
})

test('an address that is being read can be stopped, and one that cannot be read is shown with the reason', async () => {
  let item = testImport({
    state: 'fetching',
    source_url: 'https://tube.example/c/films',
    finished_at: null,
    expires_at: null,
    done: 0,
    total: 0,
  })
  const { requests, path } = await openImport({
    item: () => item,
    answers: { 'DELETE /transfer/imports/1/': () => [204] },
  })
  expect(await screen.findByRole('region', { name: 'Progress' })).toBeTruthy()
  expect(screen.getByRole('link', { name: /tube\.example/ }).getAttribute('href')).toBe(item.source_url)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(path()).toBe('/settings/data'))
  expect(sent(requests, 'DELETE')).toHaveLength(1)
  cleanup()
  item = testImport({ state: 'failed', source_url: 'https://tube.example/', failure: 'The site is busy.' })
  await openImport({ item: () => item })
  expect(await screen.findByText('The site is busy.')).toBeTruthy()
  expect(screen.queryByText(/Import stopped/)).toBeNull()
})

test('a report says how many bookmarks are still being completed', async () => {
  await openImport({ item: () => testImport({ outcomes: { ...noOutcomes, new: 3 }, incomplete: 2 }) })
  expect(await screen.findByText(/2 bookmarks to complete/)).toBeTruthy()
})
