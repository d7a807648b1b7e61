import type { UserHistory } from '@reelmark/contract/sanctions.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeUser } from '../../../shared/session/session-store.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { testUser } from '../cases/cases.fixture.ts'
import { ModeratorPage } from '../moderator-page.tsx'
import { UserHistoryPage } from './user-history-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  fakeDialogs()
  signInAs('mod')
  storeUser(testProfile('mod', { is_moderator: true, is_owner: true }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const noReports = { open: 0, approved: 0, rejected: 0 }

/** Opens the history of ana on a simulated server. `answer` can override its responses. */
async function renderHistory(answer: (request: FakeRequest) => FakeAnswer | null = () => null) {
  const ana: UserHistory = {
    user: testUser(3, 'ana'),
    is_moderator: false,
    is_owner: false,
    created_at: '2026-01-01T00:00:00Z',
    former_usernames: [{ username: 'ann', changed_at: '2026-02-03T12:00:00Z' }],
    banned_at: null,
    ban_reason: '',
    suspended_until: null,
    bookmarks_count: 0,
    comments_count: 0,
    ...{
      reports_made: noReports,
      reports_received: noReports,
      decisions: [],
      recent_bookmarks: [],
      recent_comments: [],
    },
  }
  const requests = fakeApi((request) => {
    const { method, path } = request
    const override = answer(request)
    if (override !== null) return override
    if (path === '/moderation/history/ana/') return [200, ana]
    if (path === '/profile/mod/') return [200, testProfile('mod', { is_moderator: true, is_owner: true })]
    if (path === '/auth/reauthenticate/') return [204]
    if (method !== 'POST') return [404, {}]
    if (/(pro|de)mote\/$/.test(path)) ana.is_moderator = path.endsWith('/promote/')
    return [200, { id: 3, username: 'ana', is_moderator: ana.is_moderator, is_verified: false }]
  })
  await renderPage(
    <>
      <ModeratorPage />
      <UserHistoryPage username="ana" />
      <Toaster />
    </>,
  )
  await screen.findByRole('heading', { level: 2, name: 'ana' })
  const posted = () =>
    requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])
  return { posted }
}
const pressButton = async (name: string) => user.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('a user is promoted after reauthentication, then demoted', async () => {
  let isConfirmed = false
  const { posted } = await renderHistory(({ path }) => {
    if (path === '/auth/reauthenticate/') isConfirmed = true
    return path.endsWith('/promote/') && !isConfirmed
      ? [403, { code: 'reauthentication-required', methods: ['password'] }]
      : null
  })
  await pressButton('Make moderator')
  await user.click((await dialog('Make ana a moderator?')).getByRole('button', { name: 'Make moderator' }))
  const reauthDialog = await dialog("Confirm it's you")
  await user.type(reauthDialog.getByLabelText('Your password'), 'a quiet harbour')
  await user.click(reauthDialog.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('ana is now a moderator.')).toBeDefined()
  expect(await screen.findByText('Moderator', { selector: 'article *' })).toBeDefined()
  await pressButton('Demote')
  await user.click((await dialog('Demote ana?')).getByRole('button', { name: 'Demote' }))
  expect(await screen.findByText('ana is no longer a moderator.')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Make moderator' })).toBeDefined()
  expect(posted()).toEqual([
    ['/moderation/users/3/promote/', null],
    ['/auth/reauthenticate/', { password: 'a quiet harbour' }],
    ['/moderation/users/3/promote/', null],
    ['/moderation/users/3/demote/', null],
  ])
})

test('former usernames are shown with the day until which the user had them', async () => {
  await renderHistory()
  expect(screen.getByText(/^Formerly ann \(until .*2026\)$/)).toBeDefined()
})

test('a moderator who is no owner can neither appoint nor dismiss moderators', async () => {
  storeUser(testProfile('mod', { is_moderator: true }))
  await renderHistory(({ path }) =>
    path === '/profile/mod/' ? [200, testProfile('mod', { is_moderator: true })] : null,
  )
  expect(await screen.findByRole('button', { name: 'Ban' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Make moderator' })).toBeNull()
})

test('the message to a user is stored as a draft until it is sent', async () => {
  const { posted } = await renderHistory()
  await pressButton('Warn')
  const message = (await dialog('Warn ana')).getByLabelText('Message to the user')
  await user.click(message)
  await user.paste('x'.repeat(2001))
  expect(message).toHaveProperty('value', 'x'.repeat(2001))
  expect((await dialog('Warn ana')).getByText('Must be 2000 characters or fewer.')).toBeDefined()
  await user.clear(message)
  await user.type(message, 'Be kind')
  await pressButton('Cancel')
  await pressButton('Warn')
  const reopened = await dialog('Warn ana')
  expect(reopened.getByLabelText('Message to the user')).toHaveProperty('value', 'Be kind')
  await user.click(reopened.getByRole('button', { name: 'Warn' }))
  expect(await screen.findByText('ana was warned.')).toBeDefined()
  expect(posted()).toEqual([['/moderation/users/3/warn/', { statement: 'Be kind' }]])
  expect(sessionStorage.length).toBe(0)
})
