import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AccessTokensSettingsPanel } from '../../features/auth/access-tokens/settings-panel.tsx'
import { countRequests, type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs, pressEscape } from '../../testing/fake-dialogs.ts'
import { fakePasskeys, testCredential } from '../../testing/fake-passkeys.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ReauthDialog } from './reauth-dialog.tsx'
import { setRedirector } from './redirects.ts'
import { getSession } from './session-store.ts'

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

const createdToken = {
  id: 1,
  name: 'Backup',
  scopes: ['read'],
  hint: 'rmk_abc',
  created_at: '2026-11-20T00:00:00Z',
  expires_at: null,
  last_used_at: null,
  token: 'rmk_abcdefgh',
}

/**
 * Starts a server that requires reauthentication by one of `methods` until it happened, opens the page, and creates a
 * token. The error text differs from the real one, because the client must compare codes.
 */
async function startFakeServer(
  methods: string[],
  answers: Record<string, FakeAnswer> = {},
  second_factors: string[] = [],
) {
  let isConfirmed = false
  const requests = fakeApi(({ path, method }) => {
    const fakeReply = answers[path]
    if (fakeReply !== undefined) return fakeReply
    if (path === '/auth/reauthenticate/' || path === '/auth/reauthenticate/passkey/') {
      isConfirmed = true
      return [204]
    }
    if (path === '/auth/reauthenticate/passkey/options/') {
      return [200, { ticket: 'ticket-1', options: { challenge: 'AQID', rpId: 'localhost' } }]
    }
    if (path === '/auth/tokens/' && method === 'POST') {
      return isConfirmed
        ? [201, createdToken]
        : [403, { detail: 'Really?', code: 'reauthentication-required', methods, second_factors }]
    }
    if (path.startsWith('/auth/tokens/')) return [200, { count: 0, next: null, previous: null, results: [] }]
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
  await renderPage(
    <>
      <AccessTokensSettingsPanel />
      <ReauthDialog />
    </>,
    { path: '/settings/tokens' },
  )
  await user.click(await screen.findByRole('button', { name: 'Create a token' }))
  await user.type(screen.getByLabelText('Name'), 'Backup')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  return requests
}

const findReauthDialog = () => screen.findByRole('dialog', { name: "Confirm it's you" })
const postedBodies = (requests: Awaited<ReturnType<typeof startFakeServer>>) =>
  requests.filter(({ path, method }) => path === '/auth/tokens/' && method === 'POST')

test('a request that requires reauthentication asks for the password and is then repeated unchanged', async () => {
  const requests = await startFakeServer(['password'])
  const dialog = within(await findReauthDialog())
  expect(document.activeElement).toBe(dialog.getByLabelText('Your password'))
  expect(dialog.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  await user.type(dialog.getByLabelText('Your password'), 'secret words{Enter}')
  expect(await screen.findByText('rmk_abcdefgh')).toBeTruthy()
  expect(postedBodies(requests).map(({ body }) => body)).toEqual([
    { name: 'Backup', scopes: ['read'], expires_in_days: 90 },
    { name: 'Backup', scopes: ['read'], expires_in_days: 90 },
  ])
  expect(screen.queryByRole('dialog', { name: "Confirm it's you" })).toBeNull()
})

test('a wrong password shows an error at its field and can be corrected', async () => {
  const requests = await startFakeServer(['password'], {
    '/auth/reauthenticate/': [400, { code: 'invalid', password: ['Not this one.'] }],
  })
  const dialog = within(await findReauthDialog())
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(dialog.getByRole('alert').textContent).toBe('Password is required.')
  expect(countRequests(requests, '/auth/reauthenticate/')).toBe(0)
  await user.type(dialog.getByLabelText('Your password'), 'wrong{Enter}')
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe('Not this one.'))
  expect(document.activeElement).toBe(dialog.getByLabelText('Your password'))
  expect(postedBodies(requests)).toHaveLength(1)
})

test('a user with an authenticator app enters the password and a code', async () => {
  const requests = await startFakeServer(['password'], {}, ['authenticator', 'recovery_code'])
  const dialog = within(await findReauthDialog())
  const code = dialog.getByLabelText('Authenticator code')
  expect(
    dialog.getByText('Enter the 6-digit code from your authenticator app, or a recovery code.'),
  ).toBeTruthy()
  await user.type(dialog.getByLabelText('Your password'), 'secret words{Enter}')
  expect(dialog.getByRole('alert').textContent).toBe('Enter a code.')
  expect(document.activeElement).toBe(code)
  expect(countRequests(requests, '/auth/reauthenticate/')).toBe(0)
  await user.type(code, ' 123 456{Enter}')
  expect(await screen.findByText('rmk_abcdefgh')).toBeTruthy()
  expect(requests.find(({ path }) => path === '/auth/reauthenticate/')?.body).toEqual({
    password: 'secret words',
    verification_code: '123 456',
  })
})

test('a wrong code shows an error at its field, and the password stays', async () => {
  const wrong: FakeAnswer = [400, { code: 'invalid', verification_code: ['Not this code.'] }]
  await startFakeServer(['password'], { '/auth/reauthenticate/': wrong }, ['authenticator'])
  const dialog = within(await findReauthDialog())
  await user.type(dialog.getByLabelText('Your password'), 'secret words')
  await user.type(dialog.getByLabelText('Authenticator code'), '000000{Enter}')
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe('Not this code.'))
  expect(document.activeElement).toBe(dialog.getByLabelText('Authenticator code'))
  expect(dialog.getByLabelText('Your password')).toHaveProperty('value', 'secret words')
})

test('a user whose second factor is a passkey can use it, or the password with a recovery code', async () => {
  fakePasskeys(async () => testCredential())
  const requests = await startFakeServer(['password', 'passkey'], {}, ['recovery_code'])
  const dialog = within(await findReauthDialog())
  expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeTruthy()
  await user.type(dialog.getByLabelText('Your password'), 'secret words')
  await user.type(dialog.getByLabelText('Recovery code'), 'abcde-fghjk{Enter}')
  expect(await screen.findByText('rmk_abcdefgh')).toBeTruthy()
  expect(requests.find(({ path }) => path === '/auth/reauthenticate/')?.body).toEqual({
    password: 'secret words',
    verification_code: 'abcde-fghjk',
  })
})

test('cancelling changes nothing and keeps the input of the form', async () => {
  const requests = await startFakeServer(['password'])
  act(() => pressEscape(screen.getByRole('dialog', { name: "Confirm it's you" })))
  await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Backup')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(postedBodies(requests)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  expect(await findReauthDialog()).toBeTruthy()
})

test('a passkey can be used instead of the password', async () => {
  fakePasskeys(async () => testCredential())
  const requests = await startFakeServer(['password', 'passkey'])
  await user.click(within(await findReauthDialog()).getByRole('button', { name: 'Use a passkey' }))
  expect(await screen.findByText('rmk_abcdefgh')).toBeTruthy()
  expect(requests.find(({ path }) => path === '/auth/reauthenticate/passkey/')?.body).toMatchObject({
    ticket: 'ticket-1',
    credential: { id: 'AQID' },
  })
})

test('a cancelled passkey shows an error, and the password still works', async () => {
  fakePasskeys(() => Promise.reject(new DOMException('No.', 'NotAllowedError')))
  await startFakeServer(['password', 'passkey'])
  const dialog = within(await findReauthDialog())
  await user.click(dialog.getByRole('button', { name: 'Use a passkey' }))
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toMatch(/^Cancelled or timed out/))
  await user.type(dialog.getByLabelText('Your password'), 'secret words{Enter}')
  expect(await screen.findByText('rmk_abcdefgh')).toBeTruthy()
})

test('a user without password or passkey is signed out and returns here after login', async () => {
  const redirects: string[] = []
  const restoreRedirector = setRedirector((path) => redirects.push(path))
  window.history.replaceState(null, '', '/settings/tokens')
  await startFakeServer([], { '/token/blacklist/': [200, {}] })
  await user.click(within(await findReauthDialog()).getByRole('button', { name: 'Log out and continue' }))
  await waitFor(() => expect(redirects).toEqual(['/login?redirect=%2Fsettings%2Ftokens']))
  expect(getSession().status).toBe('signed-out')
  restoreRedirector()
})

test('a 403 response without methods shows its text instead of the dialog', async () => {
  await startFakeServer([], {
    '/auth/tokens/': [403, { detail: "Confirm it's you.", code: 'reauthentication-required' }],
  })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe("Confirm it's you."))
  expect(screen.queryByRole('dialog', { name: "Confirm it's you" })).toBeNull()
})
