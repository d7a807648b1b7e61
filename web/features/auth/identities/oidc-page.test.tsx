import { errors } from '@reelmark/contract/protocol/errors.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession, isRemembered } from '../../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import type { OidcReturn } from '../accounts/sign-in-methods.ts'
import { OidcPage } from './oidc-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const reply = { access: 'access-1', refresh: 'refresh-1', username: 'Alice' }
const returnedAddress = { code: 'code-1', state: 'state-1', iss: 'https://id.example' }
const login = { intent: 'login', redirect: '/explore', remember: true }
const usernameNeededAnswer = {
  detail: 'More.',
  code: 'username-required',
  ticket: 'ticket-1',
  suggested_username: 'alice',
  email: 'alice@id.example',
}

function startFakeServer(answers: Record<string, FakeAnswer> = {}) {
  return fakeApi(({ path }) => {
    const fakeReply = answers[path]
    if (fakeReply !== undefined) return fakeReply
    if (path === '/token/oidc/') return [200, reply]
    if (path === '/auth/register/oidc/') return [201, reply]
    if (path.startsWith('/profile/')) return [200, testProfile('Alice')]
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
}

/** Opens the page as the identity provider does, in strict mode: React runs effects twice, as in development. */
function returnFromProvider(redirectState: object | null, parameters: Partial<OidcReturn> = returnedAddress) {
  if (redirectState !== null) sessionStorage.setItem('oidc', JSON.stringify(redirectState))
  const page = (
    <StrictMode>
      <OidcPage returned={parameters} />
      <Toaster />
    </StrictMode>
  )
  return renderPage(page, { path: '/login/oidc?code=code-1&state=state-1' })
}

test('the provider’s parameters are sent once with the choices of the login, which then continues', async () => {
  const requests = startFakeServer()
  const page = await returnFromProvider({ ...login, remember: false })
  await waitFor(() => expect(page.path()).toBe('/explore'))
  expect(countRequests(requests, '/token/oidc/')).toBe(1)
  expect(requests[0]?.body).toEqual({ ...returnedAddress, remember: false })
  expect(getSession().username).toBe('Alice')
  expect(isRemembered()).toBe(false)
  expect(sessionStorage.getItem('oidc')).toBeNull()
})

test('the parameters are removed from the address, so that a reload sends nothing', async () => {
  const requests = startFakeServer({
    '/token/oidc/': [400, { detail: errors['sign-in-refused'][1], code: 'sign-in-refused' }],
  })
  const page = await returnFromProvider(login)
  await screen.findByText("Login wasn't completed. Try again.")
  expect(page.path()).toBe('/login/oidc')
  expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe(
    '/login?redirect=%2Fexplore',
  )
  cleanup()
  await returnFromProvider(null, {})
  await screen.findByText(/Start again/)
  expect(countRequests(requests, '/token/oidc/')).toBe(1)
})

test('a moderator enters a code after signing in at the provider, and continues to the requested page', async () => {
  const needed = { detail: 'More.', code: 'second-factor-required', ticket: 'ticket-2' }
  const requests = startFakeServer({
    '/token/oidc/': [403, { ...needed, methods: ['authenticator', 'recovery_code'] }],
    '/token/second-factor/': [200, reply],
  })
  const page = await returnFromProvider({ ...login, remember: false })
  await user.type(await screen.findByLabelText('Authenticator code'), '123456{Enter}')
  await waitFor(() => expect(page.path()).toBe('/explore'))
  expect(requests.find(({ path }) => path === '/token/second-factor/')?.body).toEqual({
    ticket: 'ticket-2',
    verification_code: '123456',
  })
  expect(isRemembered()).toBe(false)
})

test('a moderator whose ticket expired sees why and returns to the login', async () => {
  const needed = { detail: 'More.', code: 'second-factor-required', ticket: 'ticket-2' }
  startFakeServer({
    '/token/oidc/': [403, { ...needed, methods: ['authenticator'] }],
    '/token/second-factor/': [400, { detail: errors['ticket-expired'][1], code: 'ticket-expired' }],
  })
  await returnFromProvider(login)
  await user.type(await screen.findByLabelText('Authenticator code'), '123456{Enter}')
  await screen.findByText(errors['ticket-expired'][1])
  expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe(
    '/login?redirect=%2Fexplore',
  )
})

test('a refusal by the provider is sent to the server, too', async () => {
  const requests = startFakeServer({
    '/token/oidc/': [400, { detail: errors['sign-in-refused'][1], code: 'sign-in-refused' }],
  })
  await returnFromProvider(login, { state: 'state-1', error: 'access_denied' })
  await screen.findByText("Login wasn't completed. Try again.")
  expect(requests[0]?.body).toMatchObject({ error: 'access_denied' })
})

test.for<[FakeAnswer, string, string, string]>([
  [
    [409, { detail: errors['email-taken'][1], code: 'email-taken' }],
    errors['email-taken'][1],
    'Log in',
    '/login?redirect=%2Fsettings%2Fsecurity',
  ],
  [
    [503, { detail: errors.unavailable[1], code: 'unavailable' }],
    errors.unavailable[1],
    'Back to login',
    '/login?redirect=%2Fexplore',
  ],
  ['offline', errors.unavailable[1], 'Back to login', '/login?redirect=%2Fexplore'],
  [
    [403, { detail: errors.banned[1], code: 'banned' }],
    errors.banned[1],
    'Back to login',
    '/login?redirect=%2Fexplore',
  ],
  [
    [404, { detail: 'Not found.', code: 'not-found' }],
    'This sign-in method is no longer available.',
    'Back to login',
    '/login?redirect=%2Fexplore',
  ],
  [
    [400, { code: 'invalid', state: ['Too long.'] }],
    errors['sign-in-refused'][1],
    'Back to login',
    '/login?redirect=%2Fexplore',
  ],
])(
  'a sign-in with the response %j shows the error and a link to continue',
  async ([answer, text, label, href]) => {
    startFakeServer({ '/token/oidc/': answer })
    await returnFromProvider(login)
    await screen.findByText(text)
    expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe(href)
    expect(getSession().status).toBe('signed-out')
  },
)

test('a user who did not start the sign-in here keeps their session, and nothing is sent', async () => {
  signInAs('bob')
  const requests = startFakeServer()
  const page = await returnFromProvider(null)
  await waitFor(() => expect(page.path()).toBe('/users/bob'))
  expect(requests).toEqual([])
  expect(getSession().username).toBe('bob')
})

test('a new user chooses a username and gets an account', async () => {
  const requests = startFakeServer({ '/token/oidc/': [409, usernameNeededAnswer] })
  const page = await returnFromProvider(login)
  await screen.findByRole('heading', { name: 'Choose a username' })
  const field = screen.getByLabelText<HTMLInputElement>('Username')
  expect(field.value).toBe('alice')
  expect(document.activeElement).toBe(field)
  expect(screen.getByText('alice@id.example')).toBeTruthy()
  expect(screen.getByText(/By signing up, you confirm/).textContent).toBe(
    "By signing up, you confirm you're 18 or older and agree to the Terms and Privacy Policy.",
  )
  await user.clear(field)
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
  expect(screen.getByText('Username is required.')).toBeTruthy()
  await user.type(field, 'Alice{Enter}')
  await screen.findByText("Your account has been created and you're now logged in!")
  expect(requests.find(({ path }) => path === '/auth/register/oidc/')?.body).toEqual({
    ticket: 'ticket-1',
    username: 'Alice',
  })
  await user.click(screen.getByRole('button', { name: 'Continue Now' }))
  expect(page.path()).toBe('/explore')
  expect(isRemembered()).toBe(true)
})

test('a taken username shows an error at its field, and an expired ticket leads back to login', async () => {
  const answers: Record<string, FakeAnswer> = {
    '/token/oidc/': [409, usernameNeededAnswer],
    '/auth/register/oidc/': [400, { code: 'invalid', username: ['This username is taken.'] }],
  }
  startFakeServer(answers)
  await returnFromProvider(login)
  await user.click(await screen.findByRole('button', { name: 'Sign up' }))
  await screen.findByText('This username is taken.')
  expect(document.activeElement).toBe(screen.getByLabelText('Username'))
  answers['/auth/register/oidc/'] = [400, { detail: errors['ticket-expired'][1], code: 'ticket-expired' }]
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
  await screen.findByText(errors['ticket-expired'][1])
  expect(screen.getByRole('link', { name: 'Back to login' })).toBeTruthy()
})

test('after linking an account, the user returns to Settings', async () => {
  signInAs('alice')
  const requests = startFakeServer({
    '/auth/identities/': [201, { id: 1, issuer: 'id.example', email: null }],
  })
  const page = await returnFromProvider({ intent: 'link' })
  await waitFor(() => expect(page.path()).toBe('/settings/security'))
  expect(requests[0]).toMatchObject({
    path: '/auth/identities/',
    body: returnedAddress,
    headers: { authorization: 'Bearer access-1' },
  })
  expect(getSession().username).toBe('alice')
})

test.for<[FakeAnswer, string, string]>([
  [
    [409, { detail: errors['identity-taken'][1], code: 'identity-taken' }],
    errors['identity-taken'][1],
    'Back to Settings',
  ],
  [
    [403, { detail: errors['reauthentication-required'][1], code: 'reauthentication-required', methods: [] }],
    'This request timed out. Go to Settings and try again.',
    'Back to Settings',
  ],
  ['offline', errors.unavailable[1], 'Back to Settings'],
])(
  'linking with the response %j shows the error, and the user stays signed in',
  async ([answer, text, label]) => {
    signInAs('alice')
    startFakeServer({ '/auth/identities/': answer })
    await returnFromProvider({ intent: 'link' })
    await screen.findByText(text)
    expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe('/settings/security')
    expect(getSession().status).toBe('signed-in')
  },
)
