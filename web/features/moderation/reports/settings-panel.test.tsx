import type { OwnDecision, OwnReport } from '@reelmark/contract/reports.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { ReportsSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const decision = (id: number, more: Partial<OwnDecision> = {}): OwnDecision => ({
  id,
  action: 'remove',
  target_kind: 'video',
  target_id: 9,
  reason: 'copyright',
  title: `Film ${id}`,
  statement: '',
  created_at: '2026-01-02T03:04:05Z',
  until: null,
  is_undone: false,
  can_appeal: false,
  appeal: null,
  ...more,
})
const report = (id: number, more: Partial<OwnReport> = {}): OwnReport => ({
  id,
  target_kind: 'video',
  report_type: 'spam',
  status: 'open',
  snapshot: `Reported ${id}`,
  created_at: '2026-01-02T03:04:05Z',
  decided_at: null,
  ...more,
})
const page = (results: unknown[], next: string | null = null): FakeAnswer => [
  200,
  { count: results.length, next, previous: null, results },
]

async function renderPanel(
  { decisions = [], reports = [] }: { decisions?: OwnDecision[]; reports?: OwnReport[] },
  answer: (request: FakeRequest) => FakeAnswer | null = () => null,
) {
  const requests = fakeApi((request) => {
    const fakeReply = answer(request)
    if (fakeReply !== null) return fakeReply
    return page(request.path.startsWith('/decisions/') ? decisions : reports)
  })
  const rendered = await renderPage(<ReportsSettingsPanel />)
  return { requests, rendered }
}

const findEntry = (text: RegExp) => {
  const item = screen.getByText(text).closest('li')
  if (item === null) throw new Error(`no entry contains ${text}`)
  return within(item)
}

test("decisions about the user's content show the reason, the statement and the end", async () => {
  await renderPanel({
    decisions: [
      decision(1, { statement: 'The studio asked us to.' }),
      decision(2, { action: 'suspend', title: 'alice', reason: null, until: '2026-02-03T04:05:06Z' }),
      decision(3, { action: 'hide', is_undone: true }),
    ],
  })
  await screen.findByText('“Film 1” was removed by a moderator: it was reported for copyright.')
  expect(findEntry(/“Film 1”/).getByText('The studio asked us to.')).toBeTruthy()
  expect(findEntry(/Your account was suspended/).getByText(/^Until .*2026/)).toBeTruthy()
  expect(findEntry(/“Film 3”/).getByText('Reversed')).toBeTruthy()
})

test('an appeal is stored as a draft, sent once, and shown', async () => {
  const sent = { text: 'It is mine', status: 'open', answer: '', created_at: '2026-01-03T03:04:05Z' } as const
  const replies: FakeAnswer[] = [
    [500, { error: 'Something went wrong on our side.' }],
    [201, decision(1, { appeal: sent })],
  ]
  const { requests, rendered } = await renderPanel(
    { decisions: [decision(1, { can_appeal: true })] },
    ({ method }) => (method === 'POST' ? (replies.shift() ?? 'offline') : null),
  )
  await user.click(await screen.findByRole('button', { name: 'Appeal' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Your appeal'))
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  expect(screen.getByRole('alert').textContent).toBe("Tell us why you're appealing.")
  await user.click(screen.getByLabelText('Your appeal'))
  await user.paste('😀'.repeat(2001))
  expect(screen.getByLabelText('Your appeal')).toHaveProperty('value', '😀'.repeat(2001))
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  expect(screen.getByRole('alert').textContent).toBe('Must be 2000 characters or fewer.')
  await user.clear(screen.getByLabelText('Your appeal'))
  await user.type(screen.getByLabelText('Your appeal'), ' It is mine ')
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe("Couldn't send your appeal. Try again."),
  )
  rendered.unmount()

  await renderPage(<ReportsSettingsPanel />)
  await user.click(await screen.findByRole('button', { name: 'Appeal' }))
  expect((screen.getByLabelText('Your appeal') as HTMLTextAreaElement).value).toBe(' It is mine ')
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  expect(await screen.findByText('Appeal in review')).toBeTruthy()
  expect(findEntry(/“Film 1”/).getByText('It is mine')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Appeal' })).toBeNull()
  const posts = requests.filter(({ method }) => method === 'POST')
  expect(posts.map(({ path, body }) => [path, body])).toEqual([
    ['/decisions/1/appeal/', { text: 'It is mine' }],
    ['/decisions/1/appeal/', { text: 'It is mine' }],
  ])
})

test('appeals show their outcome and answer', async () => {
  const appeal = (status: 'granted' | 'rejected', answer: string) => ({
    appeal: { text: 'Please look again', status, answer, created_at: '2026-01-03T03:04:05Z' },
  })
  await renderPanel({
    decisions: [
      decision(1, { ...appeal('granted', 'You are right.'), is_undone: true }),
      decision(2, appeal('rejected', 'We asked the studio.')),
    ],
  })
  await screen.findByText('Appeal granted')
  expect(findEntry(/“Film 1”/).getByText('You are right.')).toBeTruthy()
  expect(findEntry(/“Film 2”/).getByText('Appeal rejected')).toBeTruthy()
  expect(findEntry(/“Film 2”/).getByText('We asked the studio.')).toBeTruthy()
})

test("the user's own reports are loaded page by page with their outcome", async () => {
  const { requests } = await renderPanel({}, ({ path }) => {
    if (path.includes('cursor')) return page([report(3, { status: 'rejected' })])
    if (!path.startsWith('/report/')) return null
    return page([report(1), report(2, { status: 'approved' })], '/api/report/?page=2&cursor=abc')
  })
  await user.click(await screen.findByRole('button', { name: 'Load more' }))
  await screen.findByText('Reported 3')
  expect(findEntry(/Reported 1/).getByText('In review')).toBeTruthy()
  expect(findEntry(/Reported 2/).getByText('Action taken')).toBeTruthy()
  expect(findEntry(/Reported 3/).getByText('No violation found')).toBeTruthy()
  expect(requests.map(({ path }) => path)).toContain('/report/?page=2&cursor=abc')
  expect(screen.getByText('No decisions yet.')).toBeTruthy()
})

test('a list that failed to load can be retried', async () => {
  let fails = true
  await renderPanel({ decisions: [decision(1)] }, ({ path }) =>
    path.startsWith('/decisions/') && fails ? [500, {}] : null,
  )
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load decisions.")
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/“Film 1”/)).toBeTruthy()
})
