import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { AccountSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })
beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Opens the form on a simulated server that answers the change. */
async function openForm(answer: FakeAnswer = [500, {}], security: Record<string, unknown> = {}) {
  const requests = fakeApi(({ path }) => {
    if (path === '/auth/username-change/') return answer
    if (path.startsWith('/profile/')) return [200, testProfile(getSession().username ?? '')]
    return [
      200,
      {
        email: 'a@b.example',
        is_email_confirmed: true,
        pending_email: null,
        has_password: true,
        username_changeable_at: null,
        ...security,
      },
    ]
  })
  await renderPage(<AccountSettingsPanel />, { path: '/settings/account' })
  await user.click(await screen.findByRole('button', { name: 'Change username' }))
  return requests
}
const field = () => screen.getByLabelText('New username')
const password = () => screen.getByLabelText('Your password')
async function submit(username: string, secret = 'secret words') {
  await user.clear(field())
  if (username !== '') await user.type(field(), username)
  await user.type(password(), secret)
  await user.click(screen.getByRole('button', { name: 'Save username' }))
}

test('a change says what happens to links, and shows the new name everywhere', async () => {
  const changeableAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const requests = await openForm([200, { username: 'anna', username_changeable_at: changeableAt }])
  expect(document.activeElement).toBe(field())
  expect(screen.getByText(/^Links to your profile and feeds, and mentions of “alice”/)).toBeDefined()
  sessionStorage.setItem('draft:alice:add-bookmark-url', '{"url":"https://a.example"}')
  await submit(' anna ')
  await waitFor(() => expect(getSession()).toMatchObject({ username: 'anna', user: { username: 'anna' } }))
  expect(requests.find(({ path }) => path === '/auth/username-change/')?.body).toEqual({
    username: 'anna',
    password: 'secret words',
  })
  expect(await screen.findByText('anna')).toBeDefined()
  expect(screen.queryByLabelText('New username')).toBeNull()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change username' })),
  )
  expect(sessionStorage.getItem('draft:anna:add-bookmark-url')).toBe('{"url":"https://a.example"}')
})

test.for<[FakeAnswer, string]>([
  [
    [400, { code: 'invalid', username: ["This username isn't available."] }],
    "This username isn't available.",
  ],
  [
    [400, { code: 'invalid', password: ['Incorrect password. Try again.'] }],
    'Incorrect password. Try again.',
  ],
  [[429, { detail: 'Too many requests.' }], 'Too many requests.'],
  ['offline', "Can't reach Reelmark. Check your connection and try again."],
])('the response %j shows the reason and keeps the input', async ([answer, text]) => {
  await openForm(answer)
  await submit('anna')
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect([field(), password()].map((input) => (input as HTMLInputElement).value)).toEqual([
    'anna',
    'secret words',
  ])
  expect(getSession().username).toBe('alice')
})

test.for([
  ['', 'Username is required.'],
  ['alice', 'This is already your username.'],
])('the name %j is not sent: %s', async ([name = '', text = '']) => {
  const requests = await openForm()
  await submit(name)
  expect(screen.getByRole('alert').textContent).toBe(text)
  expect(countRequests(requests, '/auth/username-change/')).toBe(0)
})

test('a user without a password is not asked for one', async () => {
  const answer: FakeAnswer = [200, { username: 'anna', username_changeable_at: null }]
  const requests = await openForm(answer, { has_password: false })
  expect(screen.queryByLabelText('Your password')).toBeNull()
  await user.clear(field())
  await user.type(field(), 'anna{Enter}')
  await waitFor(() => expect(getSession().username).toBe('anna'))
  expect(requests.find(({ path }) => path === '/auth/username-change/')?.body).toEqual({ username: 'anna' })
})

test('until another name can be chosen, the form shows the date', async () => {
  await openForm([500, {}], { username_changeable_at: '2096-01-02T12:00:00Z' })
  expect(screen.getByText(/^You can choose another username on .*2096/)).toBeDefined()
})
