import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { LoginPage } from './login-page.tsx'
import { RegisterPage } from './register-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const tokenPair = { access: 'access-1', refresh: 'refresh-1' }

function startFakeServer(answers: Record<string, FakeAnswer> = {}) {
  return fakeApi(({ path }) => {
    const fakeReply = answers[path]
    if (fakeReply !== undefined) return fakeReply
    if (path === '/token/') return [200, tokenPair]
    if (path === '/auth/sign-in-methods/') return [200, { oidc: null }]
    if (path === '/auth/register/') return [201, { id: 7, username: 'alice', email: 'a@b.example' }]
    if (path.startsWith('/profile/')) return [200, testProfile('alice')]
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
}

/** Returns the requests that change something. */
function postRequests(requests: FakeRequest[]) {
  return requests.filter(({ method }) => method === 'POST')
}

async function logIn({ username = 'alice', password = 'secret words' } = {}) {
  if (username) await user.type(screen.getByLabelText(/Username/), username)
  if (password) await user.type(screen.getByLabelText(/^Password/), password)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
}

test('logging in returns to the page the user came from', async () => {
  const requests = startFakeServer()
  const page = await renderPage(<LoginPage redirect="/bookmarks/create?url=x" />)
  await logIn()
  await waitFor(() => expect(page.path()).toBe('/bookmarks/create?url=x'))
  expect(postRequests(requests)[0]?.body).toMatchObject({ remember: true })
})

test.for([undefined, '//evil.invalid', 'https://evil.invalid/', '/login?redirect=/login', '/register'])(
  'with the redirect %s, logging in leads to the profile',
  async (redirect) => {
    startFakeServer()
    const page = await renderPage(<LoginPage redirect={redirect} />)
    await logIn()
    await waitFor(() => expect(page.path()).toBe('/users/alice'))
  },
)

test('a session lasts a week by default, and the checkbox turns that off', async () => {
  const requests = startFakeServer()
  await renderPage(<LoginPage redirect={undefined} />)
  const box = screen.getByRole('checkbox', { name: 'Keep me logged in for a week' })
  expect(box).toHaveProperty('checked', true)
  await user.click(box)
  await logIn()
  await waitFor(() => expect(getSession().status).toBe('signed-in'))
  expect(postRequests(requests)[0]?.body).toMatchObject({ remember: false })
  expect(localStorage).toHaveLength(0)
})

test('the login page links to password reset and registration', async () => {
  startFakeServer()
  await renderPage(<LoginPage redirect="/settings" />)
  const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(link('Forgot password?')).toBe('/forgot-password')
  expect(link('Sign up')).toBe('/register?redirect=%2Fsettings')
})

test('a login without username or password is not sent, and the empty field gets the focus', async () => {
  const requests = startFakeServer()
  await renderPage(<LoginPage redirect={undefined} />)
  await logIn({ password: '' })
  expect(screen.getByRole('alert').textContent).toBe('Username and password are required.')
  expect(document.activeElement).toBe(screen.getByLabelText(/^Password/))
  expect(postRequests(requests)).toEqual([])
})

test.for<[FakeAnswer, string]>([
  [[401, { detail: 'anything' }], 'Invalid username or password.'],
  [[429, { detail: 'anything' }], 'Too many login attempts. Please try again later.'],
  [[403, { detail: 'This account is banned.', code: 'banned' }], 'This account is banned.'],
  [
    [403, { detail: 'This account is banned.', code: 'banned', reason: 'Spam only.' }],
    'This account is banned. A moderator wrote: “Spam only.” If you think this is a mistake, contact us.',
  ],
  [[400, { code: 'invalid', non_field_errors: ['First.', 'Second.'] }], 'First.'],
  [
    [400, { code: 'invalid', username: ['Odd.'] }],
    'Login failed. Please check your connection and try again.',
  ],
  [[502, 'not json at all'], 'Login failed. Please check your connection and try again.'],
  ['offline', 'Login failed. Please check your connection and try again.'],
])('a login with the response %j shows its error and keeps the input', async ([answer, text]) => {
  startFakeServer({ '/token/': answer })
  const page = await renderPage(<LoginPage redirect={undefined} />)
  await logIn()
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text))
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'alice')
  expect(screen.getByLabelText(/^Password/)).toHaveProperty('value', 'secret words')
  expect(getSession().status).toBe('signed-out')
  expect(page.path()).toBe('/here')
})

test('password managers find their fields, and the password can be shown', async () => {
  await renderPage(<LoginPage redirect={undefined} />)
  const password = screen.getByLabelText(/^Password/)
  expect(screen.getByLabelText(/Username/).getAttribute('autocomplete')).toBe('username webauthn')
  expect(password.getAttribute('autocomplete')).toBe('current-password')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password.getAttribute('type')).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(password.getAttribute('type')).toBe('password')
})

test('a signed-in user is redirected from the login page', async () => {
  startFakeServer()
  signInAs('alice')
  const page = await renderPage(<LoginPage redirect="/settings" />)
  await waitFor(() => expect(page.path()).toBe('/settings'))
})

async function signUp(
  values: { username?: string; email?: string; password?: string; password2?: string } = {},
) {
  const filled = {
    username: 'alice',
    email: 'a@b.example',
    password: 'secret words',
    password2: 'secret words',
    ...values,
  }
  const labels = {
    username: /Username/,
    email: /Email/,
    password: /^Password/,
    password2: /Confirm Password/,
  }
  for (const [name, label] of Object.entries(labels)) {
    const text = filled[name as keyof typeof filled]
    if (text) await user.type(screen.getByLabelText(label), text)
  }
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
}

test('registering creates the account, signs in, and leads to the first steps after five seconds', async () => {
  const requests = startFakeServer()
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await signUp()
  expect(await screen.findByText("Your account has been created and you're now logged in!")).toBeTruthy()
  expect(postRequests(requests)[0]?.body).toEqual({
    username: 'alice',
    email: 'a@b.example',
    password: 'secret words',
    password2: 'secret words',
  })
  expect(getSession().status).toBe('signed-in')
  expect(screen.getByText('Redirecting to your first steps in 5 seconds.')).toBeTruthy()
  for (let second = 1; second <= 5; second++) {
    expect(page.path()).toBe('/here')
    await act(() => vi.advanceTimersByTimeAsync(1000))
  }
  await waitFor(() => expect(page.path()).toBe('/welcome'))
})

test('the first steps can be opened immediately', async () => {
  startFakeServer()
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  await user.click(await screen.findByRole('button', { name: 'Get started' }))
  expect(page.path()).toBe('/welcome')
})

test('the first steps after registration can be skipped', async () => {
  startFakeServer()
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  await user.click(await screen.findByRole('button', { name: 'Continue to Home Now' }))
  expect(page.path()).toBe('/')
})

test('registering to write a comment leads back to the comments', async () => {
  startFakeServer()
  const page = await renderPage(<RegisterPage redirect="/bookmarks/7#comments" />)
  await signUp()
  expect(await screen.findByText('Redirecting to where you came from in 5 seconds.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Continue Now' }))
  expect(page.path()).toBe('/bookmarks/7#comments')
})

test('if the login after registration fails, the user is asked to log in', async () => {
  startFakeServer({ '/token/': [503, {}] })
  await renderPage(<RegisterPage redirect="/settings" />)
  await signUp()
  expect(
    await screen.findByText('Your account has been created. Please log in with your credentials.'),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to Login' }).getAttribute('href')).toBe(
    '/login?redirect=%2Fsettings',
  )
})

test.for<[Parameters<typeof signUp>[0], string, RegExp]>([
  [{ username: ' ' }, 'Username is required.', /Username/],
  [{ email: '' }, 'Email is required.', /Email/],
  [{ password: '', password2: '' }, 'Password is required.', /^Password/],
  [{ password2: 'other words' }, 'Passwords do not match.', /Confirm Password/],
])(
  'invalid input %j is shown at its field, which gets the focus, and nothing is sent',
  async ([values, text, label]) => {
    const requests = startFakeServer()
    await renderPage(<RegisterPage redirect={undefined} />)
    await signUp(values)
    expect(screen.getByText(text)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText(label))
    expect(postRequests(requests)).toEqual([])
  },
)

test('server errors are shown as one list, and the first named field gets the focus', async () => {
  const body = { email: ['This email is taken.'], password: ['Too common.', 'Too short.'] }
  startFakeServer({ '/auth/register/': [400, body] })
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText('Registration error:')).toBeTruthy()
  expect(
    within(alert)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Email: This email is taken.', 'Password: Too common.', 'Password: Too short.'])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Email/)))
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'alice')
})

test.for<[FakeAnswer]>([['offline'], [[502, null]]])(
  'a registration without a readable response (%j) shows a general error',
  async ([answer]) => {
    const requests = startFakeServer({ '/auth/register/': answer })
    await renderPage(<RegisterPage redirect={undefined} />)
    await signUp()
    expect(
      within(await screen.findByRole('alert')).getByText('Registration failed. Please try again.'),
    ).toBeTruthy()
    expect(countRequests(requests, '/token/')).toBe(0)
  },
)

test('the sign-up form states the minimum age and links the terms', async () => {
  await renderPage(<RegisterPage redirect={undefined} />)
  const statement = screen.getByText(/By signing up, you confirm/)
  expect(statement.textContent).toBe(
    "By signing up, you confirm you're 18 or older and agree to the Terms and Privacy Policy.",
  )
  expect(within(statement).getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe('/terms')
  expect(within(statement).getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe(
    '/privacy',
  )
})

test('a signed-in user is redirected from the registration page', async () => {
  startFakeServer()
  signInAs('alice')
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  await waitFor(() => expect(page.path()).toBe('/users/alice'))
})
