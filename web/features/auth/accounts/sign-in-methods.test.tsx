import { errors } from '@reelmark/contract/protocol/errors.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setRedirector } from '../../../shared/session/redirects.ts'
import { getSession, isRemembered } from '../../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakePasskeys, testCredential } from '../../../testing/fake-passkeys.ts'
import { resetBrowser, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { LoginPage } from './login-page.tsx'
import { RegisterPage } from './register-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const reply = { access: 'access-1', refresh: 'refresh-1', username: 'Alice' }
const expiredTicketAnswer: FakeAnswer = [400, { detail: errors['ticket-expired'][1], code: 'ticket-expired' }]
const secondStep = (...methods: string[]): FakeAnswer => [
  403,
  { detail: 'More.', code: 'second-factor-required', ticket: 'ticket-1', methods },
]

function startFakeServer(answers: Record<string, FakeAnswer> = {}) {
  return fakeApi(({ path }) => {
    const fakeReply = answers[path]
    if (fakeReply !== undefined) return fakeReply
    if (path === '/token/passkey/options/') {
      return [200, { ticket: 'ticket-2', options: { challenge: 'AQID', rpId: 'localhost' } }]
    }
    if (path.startsWith('/token/')) return [200, reply]
    if (path === '/auth/sign-in-methods/') return [200, { oidc: null }]
    if (path.startsWith('/profile/')) return [200, testProfile('Alice')]
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
}

async function openSecondStep(methods: string[], answers: Record<string, FakeAnswer> = {}) {
  const requests = startFakeServer({ '/token/': secondStep(...methods), ...answers })
  const page = await renderPage(<LoginPage redirect="/explore" />)
  await user.click(screen.getByRole('checkbox', { name: 'Keep me logged in for a week' }))
  await user.type(screen.getByLabelText('Username'), 'alice')
  await user.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText('Start again')
  return { requests, page }
}

const codeField = () => screen.getByLabelText<HTMLInputElement>('Authenticator code')

test('after the password, the second step asks for a code, which completes the login', async () => {
  const { requests, page } = await openSecondStep(['authenticator', 'recovery_code'])
  expect(document.activeElement).toBe(codeField())
  expect(codeField().getAttribute('inputmode')).toBe('numeric')
  expect(codeField().getAttribute('autocomplete')).toBe('one-time-code')
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  await user.type(codeField(), '123 456')
  // Completing the code does not submit the form.
  expect(countRequests(requests, '/token/second-factor/')).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(page.path()).toBe('/explore'))
  const codeRequest = requests.find(({ path }) => path === '/token/second-factor/')
  expect(codeRequest?.body).toEqual({ ticket: 'ticket-1', verification_code: '123 456' })
  expect(getSession().username).toBe('Alice')
  expect(isRemembered()).toBe(false)
  expect(localStorage).toHaveLength(0)
})

test('an incomplete code is not sent, and a wrong one shows an error at its field', async () => {
  const { requests } = await openSecondStep(['authenticator'], {
    '/token/second-factor/': [400, { code: 'invalid', verification_code: ['The code is wrong.'] }],
  })
  await user.type(codeField(), '12345{Enter}')
  expect(screen.getByText('Enter a 6-digit code.')).toBeTruthy()
  expect(countRequests(requests, '/token/second-factor/')).toBe(0)
  await user.type(codeField(), '6{Enter}')
  await screen.findByText('The code is wrong.')
  expect(codeField().getAttribute('aria-invalid')).toBe('true')
  expect(codeField().value).toBe('123456')
  expect(document.activeElement).toBe(codeField())
})

test('a recovery code can be entered instead, and the other input stays', async () => {
  const { requests, page } = await openSecondStep(['authenticator', 'recovery_code'])
  await user.type(codeField(), '12')
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.click(screen.getByRole('button', { name: 'Use your authenticator app' }))
  expect(codeField().value).toBe('12')
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.type(screen.getByLabelText('Recovery code'), 'abcd-efgh{Enter}')
  await waitFor(() => expect(page.path()).toBe('/explore'))
  expect(requests.find(({ path }) => path === '/token/second-factor/')?.body).toMatchObject({
    verification_code: 'abcd-efgh',
  })
})

test('an expired second step returns to the password form with its input and says why', async () => {
  await openSecondStep(['authenticator'], { '/token/second-factor/': expiredTicketAnswer })
  await user.type(codeField(), '123456{Enter}')
  const alert = await screen.findByText('This link or code has expired. Start again.')
  expect(alert.closest('[role=alert]')).toBe(document.activeElement)
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'alice')
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'secret words')
  // The credentials were correct.
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBeNull()
  expect(screen.queryByLabelText('Authenticator code')).toBeNull()
})

test.for<[FakeAnswer, string]>([
  [[403, { detail: 'This account is banned.', code: 'banned' }], 'This account is banned.'],
  [[429, { detail: 'x' }], 'Too many login attempts. Please try again later.'],
  ['offline', 'Login failed. Please check your connection and try again.'],
])('a second step with the response %j shows the error and stays', async ([answer, text]) => {
  await openSecondStep(['authenticator'], { '/token/second-factor/': answer })
  await user.type(codeField(), '123456{Enter}')
  await screen.findByText(text)
  expect(codeField().value).toBe('123456')
})

test('the second step can be left for the password form, or restarted with empty fields', async () => {
  await openSecondStep(['authenticator'])
  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'secret words')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  await user.click(await screen.findByRole('button', { name: 'Start again' }))
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '')
  expect(screen.getByLabelText('Username')).toHaveProperty('value', '')
  expect(document.activeElement).toBe(screen.getByLabelText('Username'))
})

test('a passkey can be the second step', async () => {
  fakePasskeys(async () => testCredential())
  const { requests, page } = await openSecondStep(['passkey', 'recovery_code'])
  const button = screen.getByRole('button', { name: 'Use a passkey' })
  expect(document.activeElement).toBe(button)
  await user.click(button)
  await waitFor(() => expect(page.path()).toBe('/explore'))
  expect(requests.find(({ path }) => path === '/token/passkey/options/')?.body).toEqual({
    ticket: 'ticket-1',
  })
  expect(requests.find(({ path }) => path === '/token/passkey/')?.body).toMatchObject({
    ticket: 'ticket-2',
    remember: false,
    credential: { id: 'AQID', response: { signature: 'AQID' } },
  })
  expect(isRemembered()).toBe(false)
})

test('a browser without passkeys offers none, and says so if the second step requires one', async () => {
  await openSecondStep(['passkey'])
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull()
  expect(screen.getByText(/which this browser doesn't support/)).toBeTruthy()
})

test('a passkey alone signs in', async () => {
  fakePasskeys(async () => testCredential())
  const requests = startFakeServer()
  const page = await renderPage(<LoginPage redirect={undefined} />)
  await user.click(screen.getByRole('button', { name: 'Log in with a passkey' }))
  await waitFor(() => expect(page.path()).toBe('/users/Alice'))
  expect(requests.find(({ path }) => path === '/token/passkey/options/')?.body).toEqual({})
  expect(requests.find(({ path }) => path === '/token/passkey/')?.body).toMatchObject({ remember: true })
})

test('closing the browser’s passkey dialog shows no error', async () => {
  fakePasskeys(async () => {
    throw new DOMException('The operation was not allowed.', 'NotAllowedError')
  })
  const requests = startFakeServer()
  await renderPage(<LoginPage redirect={undefined} />)
  const button = screen.getByRole('button', { name: 'Log in with a passkey' })
  await user.click(button)
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  expect(button.textContent).toBe('Log in with a passkey')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(button)
  expect(countRequests(requests, '/token/passkey/')).toBe(0)
})

test('a passkey refused by the server or the browser shows an error', async () => {
  fakePasskeys(async () => testCredential())
  startFakeServer({
    '/token/passkey/': [
      400,
      { detail: "This passkey couldn't be used. Try again.", code: 'passkey-refused' },
    ],
  })
  await renderPage(<LoginPage redirect={undefined} />)
  await user.click(screen.getByRole('button', { name: 'Log in with a passkey' }))
  await screen.findByText("This passkey couldn't be used. Try again.")
  cleanup()
  fakePasskeys(async () => {
    throw new DOMException('', 'InvalidStateError')
  })
  await renderPage(<LoginPage redirect={undefined} />)
  await user.click(screen.getByRole('button', { name: 'Log in with a passkey' }))
  await screen.findByText("This passkey couldn't be used. Try again.")
})

test.for([
  ['login', <LoginPage key="login" redirect="/explore" />],
  ['register', <RegisterPage key="register" redirect="/explore" />],
] as const)(
  'the %s page leads to the named identity provider and remembers the way back',
  async ([, page]) => {
    const redirects: string[] = []
    const restoreRedirector = setRedirector((path) => redirects.push(path))
    const url = 'https://id.example/authorize?state=s'
    startFakeServer({
      '/auth/sign-in-methods/': [200, { oidc: { name: 'Harbour ID' } }],
      '/token/oidc/start/': [200, { url }],
    })
    await renderPage(page)
    await user.click(await screen.findByRole('button', { name: 'Continue with Harbour ID' }))
    await waitFor(() => expect(redirects).toEqual([url]))
    expect(JSON.parse(sessionStorage.getItem('oidc') ?? '')).toEqual({
      intent: 'login',
      redirect: '/explore',
      remember: true,
    })
    restoreRedirector()
  },
)

test('an unreachable identity provider shows an error, and nothing is stored', async () => {
  startFakeServer({
    '/auth/sign-in-methods/': [200, { oidc: { name: 'Harbour ID' } }],
    '/token/oidc/start/': [503, { detail: errors.unavailable[1], code: 'unavailable' }],
  })
  await renderPage(<LoginPage redirect={undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Continue with Harbour ID' }))
  await screen.findByText('Reelmark is temporarily unavailable. Try again in a moment.')
  expect(sessionStorage.getItem('oidc')).toBeNull()
})
