import type { Profile } from '@reelmark/contract/profiles.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { PrivacySettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const settings = {
  default_bookmark_access: 'public',
  profile_visibility: 'everyone',
  likes_visibility: 'everyone',
  following_visibility: 'everyone',
  followers_visibility: 'everyone',
  collector_visibility: 'members',
  counts_adult: true,
} satisfies Partial<Profile>

/** Renders the panel. Returns the bodies of the requests that changed something. */
async function renderPanel() {
  let profile = testProfile('alice', settings)
  const requests = fakeApi(({ method, body }) => {
    if (method !== 'GET') profile = { ...profile, ...(body as Partial<Profile>) }
    return [200, profile]
  })
  await renderPage(<PrivacySettingsPanel />)
  await screen.findByLabelText('Your profile')
  return () => requests.filter(({ method }) => method !== 'GET').map(({ path, body }) => ({ path, body }))
}

test.each([
  ['Your profile', 'profile_visibility', 'members'],
  ['Your likes', 'likes_visibility', 'only_me'],
  ['Who you follow', 'following_visibility', 'members'],
  ['Who follows you', 'followers_visibility', 'only_me'],
  ['Your name among the collectors of a video', 'collector_visibility', 'only_me'],
])('the choice for “%s” is sent as %s alone, and stays', async (label, setting, choice) => {
  const sent = await renderPanel()
  const select = screen.getByLabelText<HTMLSelectElement>(label)
  expect(select.value).toBe(settings[setting as keyof typeof settings])
  await user.selectOptions(select, choice)
  await waitFor(() => expect(sent()).toEqual([{ path: '/profile/alice/', body: { [setting]: choice } }]))
  expect(select.value).toBe(choice)
})

test('the access of new bookmarks and the counting of adult bookmarks are sent', async () => {
  const sent = await renderPanel()
  await user.click(screen.getByRole('radio', { name: /^Private/ }))
  await user.click(screen.getByRole('switch', { name: /^Count adult bookmarks/ }))
  await waitFor(() =>
    expect(sent().map(({ body }) => body)).toEqual([
      { default_bookmark_access: 'private' },
      { counts_adult: false },
    ]),
  )
})

test('choices that wait for another one are saved together when the page is left', async () => {
  const sent: unknown[] = []
  fakeApi(({ method, body }) => {
    if (method === 'GET') return [200, testProfile('alice', settings)]
    sent.push(body)
    return new Promise<never>(() => {})
  })
  await renderPage(<PrivacySettingsPanel />)
  await user.selectOptions(await screen.findByLabelText('Your likes'), 'members')
  await user.selectOptions(screen.getByLabelText('Your likes'), 'only_me')
  await user.selectOptions(screen.getByLabelText('Who you follow'), 'only_me')
  expect(sent).toEqual([{ likes_visibility: 'members' }])
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() =>
    expect(sent.slice(1)).toEqual([{ likes_visibility: 'only_me', following_visibility: 'only_me' }]),
  )
  vi.restoreAllMocks()
})

test('a hidden profile explains what stays public', async () => {
  await renderPanel()
  expect(screen.queryByText(/stay public and show your name/)).toBeNull()
  await user.selectOptions(screen.getByLabelText('Your profile'), 'only_me')
  expect(await screen.findByText(/stay public and show your name/)).toBeTruthy()
})
