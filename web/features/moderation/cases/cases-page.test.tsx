import type { Case } from '@reelmark/contract/cases.ts'
import type { AuditEntry } from '@reelmark/contract/sanctions.ts'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { storeUser } from '../../../shared/session/session-store.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { setSingleKeyShortcuts } from '../../../ui/shortcuts.ts'
import { Toaster } from '../../../ui/toaster.tsx'
import { actionText, noteText, targetText } from '../audit/audit-log-labels.ts'
import { auditChanges } from '../audit/audit-log-page.tsx'
import { durationText } from '../moderation-labels.ts'
import { ModeratorPage } from '../moderator-page.tsx'
import type { CaseDetails } from './case-approval.ts'
import { type CaseSearch, caseKeyText, readCaseSearch } from './case-search.ts'
import { testCaseDetails, testReport, testUser } from './cases.fixture.ts'
import { CasesPage } from './cases-page.tsx'

const user = userEvent.setup({ delay: null })

// React logs once that jsdom does not know the element `search`. Browsers do.
beforeAll(() => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  render(<search />)
  cleanup()
  consoleError.mockRestore()
})
beforeEach(() => {
  resetBrowser()
  fakeDialogs()
  Element.prototype.scrollIntoView = () => undefined
  stubIntersectionObserver()
  signInAs('mod')
  storeUser(testProfile('mod', { is_moderator: true }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const claim = { moderator: testUser(7, 'mod'), is_own: true, expires_at: '2026-11-01T12:10:00.000Z' }

interface FakeCases {
  caseDetails: CaseDetails[]
  answer?: (request: FakeRequest) => FakeAnswer | null
}

/** Starts a server with these cases. Decided cases leave the queue. */
function startFakeServer({ caseDetails, answer = () => null }: FakeCases) {
  const openCases = new Map(caseDetails.map((details) => [caseKeyText(details.case), details]))
  return fakeApi((request): FakeAnswer => {
    const { path, method } = request
    const override = answer(request)
    if (override !== null) return override
    if (path.startsWith('/moderation/cases/?') || path === '/moderation/cases/') {
      const results: Case[] = [...openCases.values()].map((details) => details.case)
      return [200, { count: results.length, next: null, previous: null, results }]
    }
    const [, kind, id] = /^\/moderation\/cases\/(\w+)\/(\d+)\//.exec(path) ?? []
    if (path.endsWith('/claim/')) return method === 'DELETE' ? [204] : [200, claim]
    const details = caseDetails.find((item) => caseKeyText(item.case) === `${kind}-${id}`)
    if (details !== undefined) return [200, details]
    if (path === '/moderation/approve/' || path === '/moderation/reject/') {
      const { report_id, all } = request.body as { report_id: number; all?: boolean }
      const found = caseDetails.find(({ reports }) => reports.some((report) => report.id === report_id))
      const isAll = path === '/moderation/approve/' || all
      const report_ids = isAll ? found?.reports.map((report) => report.id) : [report_id]
      if (isAll && found !== undefined) openCases.delete(caseKeyText(found.case))
      const status = path === '/moderation/approve/' ? 'approved' : 'rejected'
      return [200, { report_id, status, report_ids, decision_id: 1, state: 'removed' }]
    }
    return [404, {}]
  })
}

function TestCasesPage({ start = {} }: { start?: CaseSearch }) {
  const [search, setSearch] = useState<CaseSearch>(start)
  return (
    <>
      <output data-testid="address">{JSON.stringify(search)}</output>
      <CasesPage search={search} onSearch={setSearch} />
      <Toaster />
    </>
  )
}

const sentRequests = (requests: FakeRequest[], path: string) =>
  requests.filter((request) => request.path === path).map(({ body }) => body)
const heading = (name: string) => screen.findByRole('heading', { level: 2, name })

test('single keys open, approve and reject cases, and continue with the next', async () => {
  const requests = startFakeServer({
    caseDetails: [testCaseDetails(1), testCaseDetails(2), testCaseDetails(3)],
  })
  await renderPage(<TestCasesPage />)
  await screen.findByRole('link', { name: 'Film 1' })
  await user.keyboard('j')
  const first = await heading('Film 1')
  expect(document.activeElement).toBe(first)
  await user.keyboard('j')
  await heading('Film 2')
  await user.keyboard('k')
  await heading('Film 1')
  await user.keyboard('d')
  await heading('Film 2')
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([{ report_id: 10, statement: '' }])
  expect(await screen.findByText('Removed “Film 1”.')).toBeDefined()
  await user.keyboard('v')
  await heading('Film 3')
  expect(sentRequests(requests, '/moderation/reject/')).toEqual([{ report_id: 20, all: true, statement: '' }])
  await user.keyboard('d')
  expect(await screen.findByText('No open cases')).toBeDefined()
  // Leaving a case releases its claim.
  const releasedPaths = requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
  expect(new Set(releasedPaths).size).toBe(3)
})

test('a statement stays with its case until it is sent, and a template is appended to it', async () => {
  const requests = startFakeServer({ caseDetails: [testCaseDetails(1), testCaseDetails(2)] })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  const typed = () => screen.getByLabelText<HTMLTextAreaElement>('Message to the user')
  await user.click(typed())
  await user.paste('x'.repeat(2001))
  expect(typed().value).toHaveLength(2001)
  expect(screen.getByText('Must be 2000 characters or fewer.')).toBeDefined()
  await user.clear(typed())
  await user.type(typed(), 'Please stop.')
  await user.click(screen.getByRole('button', { name: /^Insert the template for/ }))
  const text = "Please stop. Advertising and repetitive content isn't allowed."
  expect(typed().value).toBe(text)
  ;(document.activeElement as HTMLElement).blur()
  await user.keyboard('j')
  await heading('Film 2')
  expect(typed().value).toBe('')
  await user.keyboard('k')
  await heading('Film 1')
  expect(typed().value).toBe(text)
  await user.keyboard('d')
  await heading('Film 2')
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([{ report_id: 10, statement: text }])
  expect(sessionStorage.length).toBe(0)
})

test('a held bookmark shows its own texts and is decided on its own', async () => {
  const reports = [
    testReport(12, { did_hide: false }),
    testReport(11, { report_type: 'request_moderation', reporter: null, is_held: true, snapshot: 'Win now' }),
  ]
  const state = { state: 'visible' as const, is_held: true, bookmark_id: 31, title: 'Win now' }
  const details = testCaseDetails(1, { reports })
  const requests = startFakeServer({
    caseDetails: [{ ...details, case: { ...details.case, ...state } }],
    answer: ({ path }) =>
      path === '/bookmarks/31/'
        ? [200, { ...sampleBookmark, id: 31, title: 'Win now', description: 'At the casino' }]
        : null,
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  const article = within(await screen.findByRole('article', { name: 'Win now' }))
  expect(article.getByText('Held for review')).toBeDefined()
  expect(article.queryByText('Visible')).toBeNull()
  expect(article.getByText(/deletes this bookmark/)).toBeDefined()
  const heldBookmark = await article.findByRole('region', { name: 'Held bookmark' })
  expect(heldBookmark.textContent).toContain('At the casino')
  await user.keyboard('d')
  await vi.waitFor(() =>
    expect(sentRequests(requests, '/moderation/approve/')).toEqual([{ report_id: 11, statement: '' }]),
  )
})

test('shortcuts are ignored when turned off and while typing', async () => {
  const requests = startFakeServer({ caseDetails: [testCaseDetails(1), testCaseDetails(2)] })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  await user.type(screen.getByLabelText('Message to the user'), 'bar')
  setSingleKeyShortcuts(false)
  ;(document.activeElement as HTMLElement).blur()
  await user.keyboard('dvj')
  setSingleKeyShortcuts(true)
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([])
  expect(sentRequests(requests, '/moderation/reject/')).toEqual([])
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.keyboard('d')
  await heading('Film 2')
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([{ report_id: 10, statement: 'bar' }])
})

test('a moderator who decides too late sees that the case was already resolved', async () => {
  startFakeServer({
    caseDetails: [testCaseDetails(1)],
    answer: ({ path }) =>
      path === '/moderation/approve/'
        ? [
            409,
            {
              detail: 'This has already been resolved.',
              code: 'already-decided',
              error: 'This has already been resolved.',
              status: 'rejected',
            },
          ]
        : null,
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  await user.keyboard('d')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('Another moderator already resolved this case.')
})

test('a case claimed by another moderator cannot be decided until it is taken over', async () => {
  const otherClaim = { ...claim, moderator: testUser(8, 'olga'), is_own: false }
  const requests = startFakeServer({
    caseDetails: [testCaseDetails(1)],
    answer: ({ path, body }) =>
      path.endsWith('/claim/') && (body as { take_over?: boolean } | null)?.take_over === false
        ? [409, { detail: 'Another moderator is reviewing this.', code: 'claimed', claim: otherClaim }]
        : null,
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  expect(await screen.findByText('olga')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Remove video' })).toHaveProperty('disabled', true)
  await user.keyboard('d')
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Take over' }))
  await vi.waitFor(() => expect(screen.queryByText('olga')).toBeNull())
  await user.keyboard('d')
  await vi.waitFor(() => expect(sentRequests(requests, '/moderation/approve/')).toHaveLength(1))
})

test('approving asks for an orientation, and a permanent removal is confirmed', async () => {
  const orientationReport = testReport(10, { report_type: 'wrong_orientation', orientation: 'gay' })
  const minorsReport = testReport(20, { report_type: 'minors' })
  const requests = startFakeServer({
    caseDetails: [
      testCaseDetails(1, { reports: [orientationReport] }),
      testCaseDetails(2, { reports: [minorsReport] }),
    ],
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  await user.keyboard('d')
  const dialog = await screen.findByRole('dialog', { name: 'Set orientation' })
  expect(within(dialog).getByRole('radio', { name: 'Gay' })).toHaveProperty('checked', true)
  await user.click(within(dialog).getByRole('button', { name: 'Set orientation' }))
  await heading('Film 2')
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([
    { report_id: 10, orientation: 'gay', statement: '' },
  ])
  await user.keyboard('d')
  const confirmation = await screen.findByRole('dialog', { name: 'Remove permanently' })
  expect(confirmation.textContent).toContain('bans the user who added it')
  await user.click(within(confirmation).getByRole('button', { name: 'Remove permanently' }))
  await vi.waitFor(() => expect(sentRequests(requests, '/moderation/approve/')).toHaveLength(2))
})

test('a request of a rights holder removes title and picture, but another report removes the video', async () => {
  const request = (id: number) => testReport(id, { report_type: 'title_and_picture' })
  const requests = startFakeServer({
    caseDetails: [
      testCaseDetails(1, { reports: [request(10)] }),
      testCaseDetails(2, { reports: [request(21), testReport(20, { report_type: 'spam' })] }),
    ],
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  expect(screen.getByText(/shows the name of the site instead, to everyone/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove title and picture' }))
  await heading('Film 2')
  expect(await screen.findByText('Removed title and picture of “Film 1”.')).toBeTruthy()
  expect(screen.getByText(/deletes it for everyone/)).toBeTruthy()
  await user.keyboard('d')
  await vi.waitFor(() =>
    expect(sentRequests(requests, '/moderation/approve/')).toEqual([
      { report_id: 10, statement: '' },
      { report_id: 20, statement: '' },
    ]),
  )
})

test('a proposed link is used by the main action, and each of several by a button of its own', async () => {
  const proposal = (id: number) =>
    testReport(id, {
      report_type: 'replace_link',
      did_hide: false,
      proposal: {
        id,
        source_url: `https://www.second.example.org/${id}`,
        title: `The same film ${id}`,
        thumbnail_url: null,
        duration: 61,
        uploader_name: 'Mara',
        created_at: '2026-11-01T12:00:00.000Z',
      },
    })
  const requests = startFakeServer({
    caseDetails: [
      testCaseDetails(1, { reports: [proposal(10)] }),
      testCaseDetails(2, { reports: [proposal(21), proposal(20)] }),
    ],
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  expect(screen.getByRole('link', { name: /^The same film 10/ }).getAttribute('href')).toBe(
    'https://www.second.example.org/10',
  )
  expect(screen.getByText(/^second.example.org · Mara · /)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use the new link' }))
  await heading('Film 2')
  expect(screen.getByRole('button', { name: 'Use the new link' })).toHaveProperty('disabled', true)
  await user.keyboard('d')
  await user.click(screen.getAllByRole('button', { name: 'Use this link' })[1] as HTMLElement)
  await vi.waitFor(() =>
    expect(sentRequests(requests, '/moderation/approve/')).toEqual([
      { report_id: 10, statement: '' },
      { report_id: 20, statement: '' },
    ]),
  )
})

test('a missing picture and a broken player are repaired before the case is removed', async () => {
  const reports = [
    testReport(10, { report_type: 'broken_embed' }),
    testReport(11, { report_type: 'broken_thumbnail' }),
  ]
  const requests = startFakeServer({
    caseDetails: [
      testCaseDetails(1, { reports }),
      testCaseDetails(2, { reports: [testReport(20, { report_type: 'spam' })] }),
    ],
  })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  expect(screen.getByText(/replaces the picture and player for everyone/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Remove video' })).toHaveProperty('disabled', false)
  await user.keyboard('f')
  const dialog = within(await screen.findByRole('dialog', { name: 'Repair' }))
  await user.click(dialog.getByRole('radio', { name: 'Picture at a link' }))
  await user.click(dialog.getByRole('button', { name: 'Repair' }))
  expect(dialog.getAllByText('Enter a full URL starting with https://')).toHaveLength(2)
  expect(document.activeElement).toBe(dialog.getByLabelText('Picture link'))
  await user.click(dialog.getByLabelText('Picture link'))
  await user.paste('https://img.example/1.jpg')
  await user.click(dialog.getByLabelText('Embed URL'))
  await user.paste('https://player.example/1')
  await user.click(dialog.getByRole('button', { name: 'Repair' }))
  await heading('Film 2')
  expect(sentRequests(requests, '/moderation/approve/')).toEqual([
    {
      report_id: 10,
      statement: '',
      repair: { thumbnail_url: 'https://img.example/1.jpg', embed_url: 'https://player.example/1' },
    },
  ])
  // A report of spam cannot be repaired.
  expect(screen.queryByRole('button', { name: /^Repair/ })).toBeNull()
})

test('several reports are rejected together or one by one', async () => {
  const reports = [testReport(11, { report_type: 'other', reporter: testUser(6, 'cleo') }), testReport(10)]
  const requests = startFakeServer({ caseDetails: [testCaseDetails(1, { reports }), testCaseDetails(2)] })
  await renderPage(<TestCasesPage start={{ case: 'video-1' }} />)
  await heading('Film 1')
  await user.keyboard('v')
  const dialog = await screen.findByRole('dialog', { name: 'Reject reports' })
  await user.click(within(dialog).getByRole('button', { name: 'Reject this report: Other by cleo' }))
  await vi.waitFor(() => expect(sentRequests(requests, '/moderation/reject/')).toHaveLength(1))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await heading('Film 1')
  await user.keyboard('v')
  await user.click(await screen.findByRole('button', { name: 'Reject all 2 reports' }))
  await heading('Film 2')
  expect(sentRequests(requests, '/moderation/reject/')).toEqual([
    { report_id: 11, all: false, statement: '' },
    { report_id: 11, all: true, statement: '' },
  ])
})

test('several cases are decided together, and failed ones are listed and stay selected', async () => {
  const requests = startFakeServer({
    caseDetails: [testCaseDetails(1), testCaseDetails(2)],
    answer: ({ path }) =>
      path === '/moderation/decide/'
        ? [200, { decided: [10], failed: [{ report_id: 20, detail: 'Choose an orientation for this one.' }] }]
        : null,
  })
  await renderPage(<TestCasesPage />)
  await user.click(await screen.findByRole('checkbox', { name: 'Select Film 1' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Film 2' }))
  await user.click(screen.getByRole('button', { name: 'Take action…' }))
  await user.click(await screen.findByRole('button', { name: 'Take action on 2 cases' }))
  const failed = await screen.findByRole('dialog', { name: "Couldn't resolve 1 case" })
  expect(failed.textContent).toContain('Film 2Choose an orientation for this one.')
  expect(sentRequests(requests, '/moderation/decide/')).toEqual([
    { report_ids: [10, 20], decision: 'approve', all: true, statement: '' },
  ])
  expect(screen.getByText('1 selected')).toBeDefined()
})

test('a page whose last case was decided leads to the first page', async () => {
  startFakeServer({
    caseDetails: [testCaseDetails(1)],
    answer: ({ path }) =>
      path.includes('page=2') ? [404, { detail: 'Invalid page.', code: 'invalid-page' }] : null,
  })
  await renderPage(<TestCasesPage start={{ type: 'spam', page: 2 }} />)
  await screen.findByRole('link', { name: 'Film 1' })
  expect(screen.getByTestId('address').textContent).toBe('{"type":"spam"}')
})

test('a demoted moderator is redirected after the next request', async () => {
  fakeApi(({ path }): FakeAnswer => {
    if (path.startsWith('/profile/')) return [200, testProfile('mod')]
    return [403, { detail: "You don't have permission to do this.", code: 'forbidden' }]
  })
  const page = await renderPage(
    <>
      <ModeratorPage />
      <TestCasesPage />
    </>,
    { path: '/moderator' },
  )
  await vi.waitFor(() => expect(page.path()).toBe('/'))
})

test('the address stores the filters, and invalid values are dropped', () => {
  const search = { status: 'all', type: 'spam', kind: 'video', age: 24, standing: 'poor', case: 'video-7' }
  expect(readCaseSearch({ ...search, page: 2 })).toEqual({ ...search, page: 2 })
  const nonsense = { status: 'x', type: 1, kind: [], age: 5, standing: {}, case: 'video-x', page: 0 }
  expect(Object.values(readCaseSearch(nonsense)).every((value) => value === undefined)).toBe(true)
})

test('durations, audit entries and changes are formatted', () => {
  expect([5, 65, 3_600, 5_400, 90_000].map(durationText)).toEqual([
    '5 s',
    '1 min',
    '1 h',
    '1 h 30 min',
    '1 d 1 h',
  ])
  const entry = { target_kind: 'video', target_id: 7, target_name: 'A film' } as AuditEntry
  expect([actionText('set-orientation'), ...targetText(entry), noteText('spam')].join('|')).toBe(
    'set the orientation of|the video |“A film”|Spam',
  )
  expect(actionText('remove-second-factor')).toBe('removed the second factors of')
  expect([actionText('undo-hide'), ...targetText({ ...entry, target_name: null })].join('|')).toBe(
    'undo hide||video 7',
  )
  expect(auditChanges({ before: { a: 'x', b: 1 }, after: { a: 'y', b: 1, c: '' } })).toEqual([
    { name: 'a', from: 'x', to: 'y' },
    { name: 'c', from: null, to: '—' },
  ])
})
