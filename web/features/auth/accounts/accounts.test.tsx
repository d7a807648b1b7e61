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
    if (path === '/auth/ways/') return [200, { oidc: null }]
    if (path === '/auth/register/') return [201, { id: 7, username: 'alice', email: 'a@b.example' }]
    if (path.startsWith('/profile/')) return [200, testProfile('alice')]
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
}

/** What was sent, without what was only asked. */
function postedBodies(requests: FakeRequest[]) {
  return requests.filter(({ method }) => method === 'POST')
}

async function logIn({ username = 'alice', password = 'secret words' } = {}) {
  if (username) await user.type(screen.getByLabelText(/Username/), username)
  if (password) await user.type(screen.getByLabelText(/^Password/), password)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
}

test('logging in leads to the page one came from', async () => {
  const requests = startFakeServer()
  const page = await renderPage(<LoginPage redirect="/bookmarks/create?url=x" />)
  await logIn()
  await waitFor(() => expect(page.path()).toBe('/bookmarks/create?url=x'))
  expect(postedBodies(requests)[0]?.body).toMatchObject({ remember: true })
})

test.for([undefined, '//evil.invalid', 'https://evil.invalid/', '/login?redirect=/login', '/register'])(
  'with %s as the way back, logging in leads to the profile',
  async (redirect) => {
    startFakeServer()
    const page = await renderPage(<LoginPage redirect={redirect} />)
    await logIn()
    await waitFor(() => expect(page.path()).toBe('/users/alice'))
  },
)

test('the box for a week is on, and can be switched off', async () => {
  const requests = startFakeServer()
  await renderPage(<LoginPage redirect={undefined} />)
  const box = screen.getByRole('checkbox', { name: 'Keep me logged in for a week' })
  expect(box).toHaveProperty('checked', true)
  await user.click(box)
  await logIn()
  await waitFor(() => expect(getSession().status).toBe('signed-in'))
  expect(postedBodies(requests)[0]?.body).toMatchObject({ remember: false })
  expect(localStorage).toHaveLength(0)
})

test('the login links a forgotten password and the registration', async () => {
  startFakeServer()
  await renderPage(<LoginPage redirect="/settings" />)
  const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(link('Forgot password?')).toBe('/forgot-password')
  expect(link('Sign up')).toBe('/register?redirect=%2Fsettings')
})

test('a login without name or password is not sent, and the empty field has the focus', async () => {
  const requests = startFakeServer()
  await renderPage(<LoginPage redirect={undefined} />)
  await logIn({ password: '' })
  expect(screen.getByRole('alert').textContent).toBe('Username and password are required.')
  expect(document.activeElement).toBe(screen.getByLabelText(/^Password/))
  expect(postedBodies(requests)).toEqual([])
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
])('a login answered %j is told as such, and keeps what was typed', async ([answer, text]) => {
  startFakeServer({ '/token/': answer })
  const page = await renderPage(<LoginPage redirect={undefined} />)
  await logIn()
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text))
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'alice')
  expect(screen.getByLabelText(/^Password/)).toHaveProperty('value', 'secret words')
  expect(getSession().status).toBe('signed-out')
  expect(page.path()).toBe('/here')
})

test('password managers find their fields, and the password can be looked at', async () => {
  await renderPage(<LoginPage redirect={undefined} />)
  const password = screen.getByLabelText(/^Password/)
  expect(screen.getByLabelText(/Username/).getAttribute('autocomplete')).toBe('username webauthn')
  expect(password.getAttribute('autocomplete')).toBe('current-password')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password.getAttribute('type')).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(password.getAttribute('type')).toBe('password')
})

test('whoever is signed in already is led on at once', async () => {
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

test('an account is made with the password twice, one is signed in, and home after five seconds', async () => {
  const requests = startFakeServer()
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await signUp()
  expect(await screen.findByText("Your account has been created and you're now logged in!")).toBeTruthy()
  expect(postedBodies(requests)[0]?.body).toEqual({
    username: 'alice',
    email: 'a@b.example',
    password: 'secret words',
    password2: 'secret words',
  })
  expect(getSession().status).toBe('signed-in')
  expect(screen.getByText('Redirecting to the home page in 5 seconds.')).toBeTruthy()
  for (let second = 1; second <= 5; second++) {
    expect(page.path()).toBe('/here')
    await act(() => vi.advanceTimersByTimeAsync(1000))
  }
  await waitFor(() => expect(page.path()).toBe('/'))
})

test('the wait can be skipped', async () => {
  startFakeServer()
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  await user.click(await screen.findByRole('button', { name: 'Continue to Home Now' }))
  expect(page.path()).toBe('/')
})

test('where the login after it fails, one is asked to log in', async () => {
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
])('%j is told at its field, which has the focus, and nothing is sent', async ([values, text, label]) => {
  const requests = startFakeServer()
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp(values)
  expect(screen.getByText(text)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  expect(postedBodies(requests)).toEqual([])
})

test('what the server has against it is one list, and the first field it names has the focus', async () => {
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
  ).toEqual(['This email is taken.', 'Too common.', 'Too short.'])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Email/)))
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'alice')
})

test.for<[FakeAnswer]>([['offline'], [[502, null]]])(
  'an answer that says nothing (%j) has a text of its own',
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

test('signing up says how old one must be, and links what one accepts', async () => {
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

test('whoever is signed in already has no need of an account', async () => {
  startFakeServer()
  signInAs('alice')
  const page = await renderPage(<RegisterPage redirect={undefined} />)
  await waitFor(() => expect(page.path()).toBe('/users/alice'))
})
