import type { AccountSecurity } from '@reelmark/contract/account-settings.ts'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setRedirector } from '../../shared/session/redirects.ts'
import { getSession, storeUser } from '../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs, pressEscape } from '../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs, testProfile } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { qrPath } from '../../ui/qr-code.tsx'
import { SecuritySettingsPanel } from './security-settings-panel.tsx'
import { describeDevice } from './sessions/device-name.ts'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  fakeDialogs()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const noSecondFactor: AccountSecurity = {
  username_changeable_at: null,
  email: 'a@b.example',
  is_email_confirmed: true,
  pending_email: null,
  has_password: true,
  has_authenticator: false,
  passkeys_count: 0,
  needs_second_factor: false,
  recovery_codes_left: 0,
  identities_count: 0,
  access_tokens_count: 0,
  review_required: false,
  reauthenticated_until: null,
}
const codes = Array.from({ length: 10 }, (_, index) => `code-${index}`)
const listAnswer = (results: unknown[]): FakeAnswer => [
  200,
  { count: results.length, next: null, previous: null, results },
]
const session = (id: number, device: string, is_current = false) => ({
  id,
  device,
  address: '203.0.113.0/24',
  created_at: '2026-11-20T00:00:00Z',
  last_used_at: '2026-11-20T00:00:00Z',
  is_current,
})
const passkey = {
  id: 4,
  name: 'Old key',
  is_synced: true,
  created_at: '2026-11-20T00:00:00Z',
  last_used_at: null,
}

async function renderPanel(
  answers: Record<string, FakeAnswer> = {},
  security: Partial<AccountSecurity> = {},
) {
  const requests = fakeApi(({ path, method }) => {
    const pathWithoutQuery = path.split('?')[0] ?? path
    const fakeReply = answers[`${method} ${pathWithoutQuery}`]
    if (fakeReply !== undefined) return fakeReply
    if (pathWithoutQuery === '/auth/security/') return [200, { ...noSecondFactor, ...security }]
    if (pathWithoutQuery === '/auth/sign-in-methods/') return [200, { oidc: null }]
    if (pathWithoutQuery === '/auth/sessions/')
      return listAnswer([session(2, 'Firefox on Windows'), session(1, 'Chrome on Linux', true)])
    if (pathWithoutQuery === '/auth/passkeys/' || pathWithoutQuery === '/auth/identities/')
      return listAnswer([])
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
  await renderPage(<SecuritySettingsPanel />)
  await screen.findByText('Chrome on Linux')
  return requests
}

const setupAnswer: FakeAnswer = [
  201,
  { secret: 'ABCDEFGHIJ', url: 'otpauth://totp/Reelmark:alice?secret=ABCDEFGHIJ' },
]

async function startSetup(answer: FakeAnswer) {
  const requests = await renderPanel({
    'POST /auth/authenticator/': setupAnswer,
    'POST /auth/authenticator/confirm/': answer,
  })
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  return requests
}

test('an authenticator app is set up with a code, and its recovery codes stay until the user saved them', async () => {
  const requests = await startSetup([200, { recovery_codes: codes }])
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy()
  expect(screen.getByText('ABCD EFGH IJ')).toBeTruthy()
  const field = screen.getByLabelText('Code from the app')
  expect(document.activeElement).toBe(field)
  expect([field.getAttribute('inputmode'), field.getAttribute('autocomplete')]).toEqual([
    'numeric',
    'one-time-code',
  ])
  await user.type(field, '123 456{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Save your recovery codes' })
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(codes)
  expect(requests.find(({ path }) => path.endsWith('/confirm/'))?.body).toEqual({
    verification_code: '123456',
  })

  expect(within(dialog).getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true)
  act(() => pressEscape(dialog))
  expect(within(dialog).getByRole('alert').textContent).toContain("You won't see these codes again.")
  expect(screen.getByText('code-3')).toBeTruthy()
  await user.click(within(dialog).getByRole('checkbox', { name: "I've saved my recovery codes" }))
  await user.click(within(dialog).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText('code-3')).toBeNull())
})

test('a wrong code shows an error at its field, and the key stays visible', async () => {
  await startSetup([400, { verification_code: ['This code is not right.'], code: 'invalid' }])
  await user.type(await screen.findByLabelText('Code from the app'), '000000{Enter}')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This code is not right.'))
  expect(document.activeElement).toBe(screen.getByLabelText('Code from the app'))
  expect(screen.getByText('ABCD EFGH IJ')).toBeTruthy()
})

test('adding another second factor shows no recovery codes if there already are some', async () => {
  await startSetup([200, { recovery_codes: null }])
  await user.type(await screen.findByLabelText('Code from the app'), '123456{Enter}')
  await waitFor(() => expect(screen.queryByLabelText('Code from the app')).toBeNull())
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull()
})

test('a session on another device is ended and removed from the list; ending this one logs out', async () => {
  const redirects: string[] = []
  const restoreRedirector = setRedirector((path) => redirects.push(path))
  await renderPanel({ 'POST /auth/sessions/end/': [204], 'POST /token/blacklist/': [200, {}] })
  const rows = within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem')
  expect(rows[0]?.textContent).toContain('This device')
  await user.click(screen.getByRole('button', { name: 'Log out Firefox on Windows' }))
  await waitFor(() => expect(screen.queryByText('Firefox on Windows')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Log out all other sessions' })).toBeNull()
  expect(document.activeElement).not.toBe(document.body)
  await user.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(redirects).toEqual(['/']))
  expect(getSession().status).toBe('signed-out')
  restoreRedirector()
})

test('sessions that look alike are one row, and end together', async () => {
  const node = 'API client, node'
  const requests = await renderPanel({
    'GET /auth/sessions/': listAnswer([
      session(5, node),
      session(4, 'Firefox on Windows'),
      session(3, node),
      { ...session(2, node), address: '198.51.100.0/24' },
      session(1, 'Chrome on Linux', true),
    ]),
    'POST /auth/sessions/end/': [204],
  })
  const buttons = () =>
    within(screen.getByRole('list', { name: 'Sessions' }))
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent)
  const [current, group, ...others] = buttons()
  expect([current, group]).toEqual(['Log out', `End all sessions of ${node}`])
  expect(others).toEqual(['Log out Firefox on Windows', `Log out ${node}`])
  expect(screen.getByText('2 sessions')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: `End all sessions of ${node}` }))
  await waitFor(() => expect(buttons()).toEqual([current, ...others]))
  expect(requests.find(({ path }) => path === '/auth/sessions/end/')?.body).toEqual({ ids: [5, 3] })
})

test('all other sessions end after a confirmation', async () => {
  const requests = await renderPanel({ 'DELETE /auth/sessions/': [204] })
  await user.click(screen.getByRole('button', { name: 'Log out all other sessions' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Log out all other sessions' }))
  await user.click(screen.getByRole('button', { name: 'Log out all' }))
  await waitFor(() => expect(screen.queryByText('Firefox on Windows')).toBeNull())
  expect(screen.getByText('Chrome on Linux')).toBeTruthy()
})

test('the only sign-in method cannot be removed, and the reason is shown', async () => {
  await renderPanel(
    {
      'GET /auth/passkeys/': listAnswer([passkey]),
      'DELETE /auth/passkeys/4/': [409, { detail: 'This is the only way into your account.' }],
    },
    { passkeys_count: 1 },
  )
  await user.click(await screen.findByRole('button', { name: 'Remove Old key' }))
  const dialog = screen.getByRole('dialog', { name: 'Remove Old key?' })
  await user.click(within(dialog).getByRole('button', { name: 'Remove passkey' }))
  await waitFor(() =>
    expect(within(dialog).getByRole('alert').textContent).toBe('This is the only way into your account.'),
  )
  expect(screen.getByText('Old key')).toBeTruthy()
})

test('a passkey is renamed in the list', async () => {
  await renderPanel({
    'GET /auth/passkeys/': listAnswer([passkey]),
    'PATCH /auth/passkeys/4/': [200, { ...passkey, name: 'Blue key' }],
  })
  await user.click(await screen.findByRole('button', { name: 'Rename Old key' }))
  const field = screen.getByLabelText('Name')
  expect(field).toHaveProperty('value', 'Old key')
  await user.clear(field)
  await user.type(field, 'Blue key{Enter}')
  expect(await screen.findByText('Blue key')).toBeTruthy()
})

test('a browser without passkeys is told that it does not support them', async () => {
  await renderPanel()
  expect(screen.getByText(/This browser doesn't support passkeys/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
})

test('only a moderator without a second factor is asked to set one up', async () => {
  storeUser(testProfile('alice', { is_moderator: true }))
  await renderPanel()
  expect(await screen.findByText('Turn on two-step verification')).toBeTruthy()
  cleanup()
  await renderPanel({}, { has_authenticator: true, recovery_codes_left: 10 })
  await screen.findByText('10 of 10 left')
  expect(screen.queryByText('Turn on two-step verification')).toBeNull()
})

test('linking an account stores the intent and goes to the identity provider', async () => {
  const redirects: string[] = []
  const restoreRedirector = setRedirector((path) => redirects.push(path))
  const requests = await renderPanel({
    'GET /auth/sign-in-methods/': [200, { oidc: { name: 'Example ID' } }],
    'POST /auth/identities/start/': [200, { url: 'https://id.example/authorize?x=1' }],
  })
  await user.click(await screen.findByRole('button', { name: 'Link Example ID' }))
  await waitFor(() => expect(redirects).toEqual(['https://id.example/authorize?x=1']))
  expect(JSON.parse(sessionStorage.getItem('oidc') ?? '')).toEqual({
    intent: 'link',
    redirect: '/settings/security',
    remember: true,
  })
  expect(countRequests(requests, '/auth/identities/start/')).toBe(1)
  restoreRedirector()
})

test('without an identity provider, linked accounts are not shown', async () => {
  await renderPanel()
  expect(screen.queryByText('Linked accounts')).toBeNull()
})

test('a QR code is one path of its horizontal dark runs', () => {
  expect(
    qrPath([
      [true, true, false],
      [false, false, true],
    ]),
  ).toBe('M0 0h2v1H0zM2 1h1v1H2z')
})

test.for([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Safari/604.1', 'iPhone'],
  ['Mozilla/5.0 (Linux; Android 10; K) Chrome/125.0.0.0 Mobile', 'Android device'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/137.0.0.0', 'Linux computer'],
  ['Something else', 'My passkey'],
])('on %s a new passkey is named %s', ([agent, name]) => {
  expect(describeDevice(agent ?? '')).toBe(name)
})
