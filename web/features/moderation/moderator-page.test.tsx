import { isRedirect } from '@tanstack/react-router'
import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession, storeUser } from '../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ModeratorReminder } from '../shell/moderator-reminder.tsx'
import { ModeratorPage } from './moderator-page.tsx'
import { requireModerator } from './require-moderator.ts'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const moderator = testProfile('mod', { is_moderator: true })

function startFakeServer({
  profile = moderator as object,
  ...security
}: { profile?: object } & Record<string, unknown> = {}) {
  return fakeApi(({ path }): FakeAnswer => {
    if (path === '/auth/security/') {
      return [200, { has_authenticator: false, passkeys_count: 0, needs_second_factor: false, ...security }]
    }
    return path.startsWith('/profile/') ? [200, profile] : [404, {}]
  })
}

function signInModerator() {
  signInAs('mod')
  storeUser(moderator)
}

test('a moderator without a second factor is asked to set one up, also again a day after they dismissed it', async () => {
  signInModerator()
  startFakeServer()
  await renderPage(<ModeratorReminder />)
  const link = await screen.findByRole('link', { name: 'Set up' })
  expect(link.getAttribute('href')).toBe('/settings/security')
  await user.click(screen.getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('link', { name: 'Set up' })).toBeNull()
  cleanup()
  // The device remembers the dismissal for a day, also on the moderation page.
  const page = (
    <>
      <ModeratorReminder />
      <ModeratorPage />
    </>
  )
  await renderPage(page, { path: '/moderator' })
  expect(await screen.findByRole('link', { name: 'Queue' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Set up' })).toBeNull()
  cleanup()
  localStorage.setItem('second-factor-later', String(Date.now() - 86_400_001))
  await renderPage(page, { path: '/moderator' })
  expect(await screen.findAllByRole('link', { name: 'Set up' })).toHaveLength(1)
})

test('the banner is not shown on a page that already asks', async () => {
  signInModerator()
  startFakeServer()
  await renderPage(
    <>
      <ModeratorReminder />
      <ModeratorPage />
    </>,
    { path: '/moderator' },
  )
  expect(await screen.findAllByRole('link', { name: 'Set up' })).toHaveLength(1)
  expect(screen.getAllByRole('button', { name: 'Later' })).toHaveLength(1)
})

test('a moderator who needs a second factor sees where to set it up instead of the dashboard', async () => {
  signInModerator()
  startFakeServer({ needs_second_factor: true })
  await renderPage(<ModeratorPage />, { path: '/moderator' })
  expect(
    await screen.findByText(
      "Moderators need two-step verification. Moderator tools don't work until you set it up.",
    ),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Set up' }).getAttribute('href')).toBe('/settings/security')
  expect(screen.queryByRole('button', { name: 'Later' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Queue' })).toBeNull()
})

test.for([{ has_authenticator: true }, { passkeys_count: 1 }])(
  'with %j no reminder is shown',
  async (security) => {
    signInModerator()
    const requests = startFakeServer(security)
    await renderPage(<ModeratorPage />)
    await vi.waitFor(() => expect(countRequests(requests, '/auth/security/')).toBe(1))
    expect(screen.queryByRole('link', { name: 'Set up' })).toBeNull()
  },
)

test('users who are not moderators see no reminder, and nothing is requested', async () => {
  signInAs('alice')
  const requests = startFakeServer()
  await renderPage(<ModeratorReminder />)
  expect(requests).toEqual([])
})

const location = { pathname: '/moderator', searchStr: '' }

async function redirectTarget(): Promise<unknown> {
  const thrown = await requireModerator({ location }).catch((error: unknown) => error)
  return isRedirect(thrown) ? (thrown.options.to ?? thrown.options.href) : undefined
}

test('the moderation page opens for current moderators, whatever the browser stored', async () => {
  signInModerator()
  startFakeServer()
  expect(await redirectTarget()).toBeUndefined()
  startFakeServer({ profile: testProfile('mod') })
  expect(await redirectTarget()).toBe('/')
  expect(getSession().isModerator).toBe(false)
  startFakeServer()
  expect(await redirectTarget()).toBeUndefined()
})

test('without a server response the stored role counts, and visitors are redirected to login', async () => {
  signInModerator()
  fakeApi(() => 'offline')
  expect(await redirectTarget()).toBeUndefined()
  resetBrowser()
  expect(await redirectTarget()).toBe('/login?redirect=%2Fmoderator')
})
