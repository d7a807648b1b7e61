import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { BookmarkActions } from '../../bookmark-page/bookmark-actions.tsx'
import { UserMenu } from '../../users/blocks/user-menu.tsx'

const user = userEvent.setup({ delay: null })

// Loaded in advance, because lazy imports are slow on a busy machine.
beforeAll(() =>
  Promise.all([import('../../bookmark-page/bookmark-dialogs.tsx'), import('./report-dialog.tsx')]),
)
beforeEach(() => {
  fakeDialogs()
  // jsdom does not implement popovers.
  HTMLElement.prototype.hidePopover = () => {}
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const createdReport = (more = {}) =>
  [
    201,
    {
      id: 31,
      report_type: 'spam',
      status: 'open',
      is_hidden: true,
      detail: 'Thank you. This is now hidden pending admin review.',
      ...more,
    },
  ] as const

const startFakeServer = (...answers: FakeAnswer[]) =>
  fakeApi(() => answers.shift() ?? [404, { detail: 'Not found.', code: 'not-found' }])
const actions = <BookmarkActions bookmark={sampleBookmark} like={{ isLiked: false, toggle: () => {} }} />

async function openReport() {
  await user.click(screen.getByRole('button', { name: 'Report' }))
  return within(await screen.findByRole('dialog', { name: 'Report Video/Bookmark' }))
}
const pressSubmit = (dialog: ReturnType<typeof within>) =>
  user.click(dialog.getByRole('button', { name: 'Submit Report' }))

test('a report requires a reason but no notes; after it was sent, the button is disabled', async () => {
  const requests = startFakeServer(createdReport())
  await renderPage(actions, { path: '/bookmarks/7' })
  const dialog = await openReport()
  await pressSubmit(dialog)
  expect(dialog.getByRole('alert').textContent).toBe('Please select a reason.')
  expect(document.activeElement).toBe(dialog.getAllByRole('radio')[0])
  expect(requests).toEqual([])
  await user.click(dialog.getByRole('radio', { name: 'Spam or a scam' }))
  expect(dialog.queryByRole('alert')).toBeNull()
  await pressSubmit(dialog)
  const confirmation = await dialog.findByRole('status')
  expect(confirmation.textContent).toContain('now hidden pending admin review')
  expect(document.activeElement).toBe(confirmation)
  expect(dialog.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings/reports')
  expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/report/', { video_id: 9, bookmark_id: 7, report_type: 'spam', notes: '' }],
  ])
  expect(requests[0]?.headers['idempotency-key']).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  const button = screen.getByRole('button', { name: 'Reported' })
  expect((button as HTMLButtonElement).disabled).toBe(true)
})

test('every report type is offered in groups', async () => {
  startFakeServer()
  await renderPage(actions, { path: '/bookmarks/7' })
  const dialog = await openReport()
  expect(dialog.getAllByRole('radio').map((item) => (item as HTMLInputElement).value)).toEqual([
    'broken_source',
    'broken_embed',
    'broken_thumbnail',
    'wrong_orientation',
    'minors',
    'non_consensual',
    'violence_or_hate',
    'spam',
    'copyright',
    'title_and_picture',
    'request_moderation',
    'other',
  ])
  expect(dialog.getByRole('group', { name: 'Harmful content' })).toBeTruthy()
  expect(dialog.getByText(/Until then it may be hidden: at once if it involves minors/)).toBeTruthy()
})

test('a report of a wrong orientation can suggest another, and “Something else” requires notes', async () => {
  const requests = startFakeServer(createdReport())
  await renderPage(actions, { path: '/bookmarks/7' })
  const dialog = await openReport()
  await user.click(dialog.getByRole('radio', { name: 'Something else' }))
  await pressSubmit(dialog)
  expect(dialog.getByRole('alert').textContent).toBe('Describe the problem.')
  expect(document.activeElement).toBe(dialog.getByLabelText(/^Notes/))
  await user.click(dialog.getByRole('radio', { name: 'The orientation is wrong' }))
  await user.selectOptions(dialog.getByLabelText('What should it be?'), 'Gay')
  await pressSubmit(dialog)
  await dialog.findByRole('status')
  expect(requests[0]?.body).toMatchObject({ report_type: 'wrong_orientation', orientation: 'gay' })
})

test('a request of a rights holder says which rights', async () => {
  const requests = startFakeServer(createdReport())
  await renderPage(actions, { path: '/bookmarks/7' })
  const dialog = await openReport()
  await user.click(dialog.getByRole('radio', { name: 'I hold the rights: remove title and picture' }))
  expect(dialog.getByText(/^Say which rights you hold/)).toBeTruthy()
  await pressSubmit(dialog)
  expect(dialog.getByRole('alert').textContent).toBe('Describe the problem.')
  await user.click(dialog.getByLabelText(/^Notes/))
  await user.paste('x'.repeat(2001))
  expect(dialog.getByLabelText(/^Notes/)).toHaveProperty('value', 'x'.repeat(2001))
  await pressSubmit(dialog)
  expect(dialog.getByRole('alert').textContent).toBe('Must be 2000 characters or fewer.')
  expect(requests).toEqual([])
  await user.clear(dialog.getByLabelText(/^Notes/))
  await user.type(dialog.getByLabelText(/^Notes/), 'I made this film.')
  await pressSubmit(dialog)
  await dialog.findByRole('status')
  expect(requests[0]?.body).toMatchObject({ report_type: 'title_and_picture', notes: 'I made this film.' })
})

test("a failed report shows the server's reason or a general text, and keeps the input", async () => {
  const requests = startFakeServer(
    [429, { error: 'Too many requests. Try again later.' }],
    [500, { error: 'Something went wrong on our side.' }],
    'offline',
  )
  const page = await renderPage(actions, { path: '/bookmarks/7' })
  let dialog = await openReport()
  await user.click(dialog.getByRole('radio', { name: 'Violence or hate' }))
  await user.type(dialog.getByLabelText(/^Notes/), 'At 0:20')
  for (const text of [
    'Too many requests. Try again later.',
    'Failed to submit report.',
    'Failed to submit report.',
  ]) {
    await pressSubmit(dialog)
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(text))
  }
  // Only the first failure was final, so the key changed after it and then stayed the same.
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([false, true])
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  page.unmount()
  await renderPage(actions, { path: '/bookmarks/7' })
  dialog = await openReport()
  expect((dialog.getByLabelText(/^Notes/) as HTMLTextAreaElement).value).toBe('At 0:20')
  expect((dialog.getByRole('radio', { name: 'Violence or hate' }) as HTMLInputElement).checked).toBe(true)
})

test('reporting the same content again is not an error', async () => {
  startFakeServer([409, { error: "You've already reported this.", code: 'already-reported', report_id: 12 }])
  await renderPage(actions, { path: '/bookmarks/7' })
  const dialog = await openReport()
  await user.click(dialog.getByRole('radio', { name: 'Spam or a scam' }))
  await pressSubmit(dialog)
  expect((await dialog.findByRole('status')).textContent).toContain("You've already reported this")
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  expect(screen.getByRole('button', { name: 'Reported' })).toBeTruthy()
})

test('visitors who report are redirected to login, and back', async () => {
  resetBrowser()
  startFakeServer()
  const page = await renderPage(actions, { path: '/bookmarks/7' })
  await user.click(screen.getByRole('button', { name: 'Report' }))
  await waitFor(() => expect(page.path()).toBe('/login?redirect=%2Fbookmarks%2F7'))
})

test('a user is reported from their menu, with the reasons that apply to users', async () => {
  const requests = startFakeServer(
    createdReport({ is_hidden: false, detail: 'Thank you. A moderator will look at this.' }),
  )
  await renderPage(<UserMenu user={{ id: 12, username: 'mara' }} muteId={null} />)
  await user.click(await screen.findByRole('menuitem', { name: 'Report mara', hidden: true }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Report mara' }))
  expect(dialog.queryByRole('radio', { name: "The video won't play" })).toBeNull()
  expect(dialog.getByText(/A moderator will review this account/)).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: 'Involves minors' }))
  await pressSubmit(dialog)
  expect((await dialog.findByRole('status')).textContent).toContain('A moderator will look at this.')
  expect(requests[0]?.body).toEqual({ user_id: 12, report_type: 'minors', notes: '' })
})
