import type { Challenge } from '@reelmark/contract/challenge.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { LoginPage } from '../accounts/login-page.tsx'
import { RegisterPage } from '../accounts/register-page.tsx'

const user = userEvent.setup({ delay: null })

// Loaded in advance, because lazy imports are slow on a busy machine.
beforeAll(() => import('./solve-challenge.ts'))
beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Returns a challenge that is solved quickly, by the number 40. */
async function testChallenge(): Promise<Challenge> {
  return (await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 40,
    deriveKey,
    expiresAt: 2_000_000_000,
    hmacSignatureSecret: 'a',
    hmacKeySignatureSecret: 'b',
  })) as Challenge
}

interface SentRegistration {
  username: string
  altcha?: { challenge: Challenge; solution: { counter: number } }
}

/** Responds to registrations with `answers` in order, repeating the last. */
function startFakeServer(answers: FakeAnswer[]): SentRegistration[] {
  const registrations: SentRegistration[] = []
  fakeApi(({ path, body }: FakeRequest) => {
    if (path === '/auth/sign-in-methods/') return [200, { oidc: null }]
    if (path === '/token/') return [200, { access: 'access-1', refresh: 'refresh-1' }]
    if (path !== '/auth/register/') return [404, { detail: 'Not found.', code: 'not-found' }]
    registrations.push(body as SentRegistration)
    return answers[Math.min(registrations.length, answers.length) - 1] ?? [500, null]
  })
  return registrations
}

const registeredAnswer: FakeAnswer = [201, { id: 7, username: 'alice', email: 'a@b.example' }]
const challengeAnswer = (challenge: Challenge): FakeAnswer => [
  403,
  { detail: 'Solve the challenge.', code: 'challenge-required', challenge },
]

async function signUp() {
  await user.type(screen.getByLabelText(/Username/), 'alice')
  await user.type(screen.getByLabelText(/Email/), 'a@b.example')
  await user.type(screen.getByLabelText(/^Password/), 'secret words')
  await user.type(screen.getByLabelText(/Confirm Password/), 'secret words')
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
}

test('a challenge is solved during registration, with a progress bar', async () => {
  const challenge = await testChallenge()
  const registrations = startFakeServer([challengeAnswer(challenge), registeredAnswer])
  await renderPage(<RegisterPage redirect={undefined} />)
  const progressLabels: string[] = []
  const observer = new MutationObserver(() => {
    const bar = screen.queryByRole('progressbar')
    if (bar !== null) progressLabels.push(bar.getAttribute('aria-label') ?? '')
  })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true })
  await signUp()
  expect(await screen.findByText("Your account has been created and you're now logged in!")).toBeTruthy()
  observer.disconnect()
  expect(progressLabels).toContain("Checking you're human…")
  expect(registrations).toHaveLength(2)
  expect(registrations[0]).not.toHaveProperty('altcha')
  expect(registrations[1]).toMatchObject({
    username: 'alice',
    altcha: { challenge, solution: { counter: 40 } },
  })
  expect(getSession().status).toBe('signed-in')
})

test('an expired solution is replaced, and a solution is reused if the username is taken', async () => {
  const [first, second] = [await testChallenge(), await testChallenge()]
  const registrations = startFakeServer([
    challengeAnswer(first),
    challengeAnswer(second),
    [400, { code: 'invalid', username: ['This name is taken.'] }],
    registeredAnswer,
  ])
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText('Username: This name is taken.')).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
  await user.type(screen.getByLabelText(/Username/), '2')
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
  await waitFor(() => expect(registrations).toHaveLength(4))
  expect(registrations.map(({ altcha }) => altcha?.challenge.signature)).toEqual([
    undefined,
    first.signature,
    second.signature,
    second.signature,
  ])
})

test('registration fails if no solution is accepted, and the input stays', async () => {
  const registrations = startFakeServer([challengeAnswer(await testChallenge())])
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText("Couldn't verify you're human. Try again.")).toBeTruthy()
  expect(registrations).toHaveLength(4)
  expect(screen.getByLabelText(/^Password/)).toHaveProperty('value', 'secret words')
  expect(screen.getByRole('button', { name: 'Sign up' })).toHaveProperty('disabled', false)
})

test('a page served over plain HTTP says that registration requires HTTPS', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  startFakeServer([[403, { detail: 'Solve the challenge.', code: 'challenge-required', challenge: {} }]])
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText(/requires a secure connection/)).toBeTruthy()
})

describe('the login form', () => {
  interface SentLogin {
    password: string
    altcha?: { challenge: Challenge; solution: { counter: number } }
  }

  /** Responds to logins with `answers` in order, repeating the last. */
  function startLoginServer(answers: FakeAnswer[]): SentLogin[] {
    const logins: SentLogin[] = []
    fakeApi(({ path, body }: FakeRequest) => {
      if (path === '/auth/sign-in-methods/') return [200, { oidc: null }]
      if (path !== '/token/') return [404, { detail: 'Not found.', code: 'not-found' }]
      logins.push(body as SentLogin)
      return answers[Math.min(logins.length, answers.length) - 1] ?? [500, null]
    })
    return logins
  }

  async function logIn() {
    await user.type(screen.getByLabelText('Username'), 'alice')
    await user.type(screen.getByLabelText('Password'), 'secret words')
    await user.click(screen.getByRole('button', { name: 'Log in' }))
  }

  test('solves a challenge by itself and logs in', async () => {
    const challenge = await testChallenge()
    const logins = startLoginServer([
      challengeAnswer(challenge),
      [200, { access: 'access-1', refresh: 'refresh-1', username: 'alice' }],
    ])
    await renderPage(<LoginPage redirect={undefined} />, { path: '/login' })
    await logIn()
    await waitFor(() => expect(getSession().status).toBe('signed-in'))
    expect(logins).toHaveLength(2)
    expect(logins[0]).not.toHaveProperty('altcha')
    expect(logins[1]).toMatchObject({
      password: 'secret words',
      altcha: { challenge, solution: { counter: 40 } },
    })
  })

  test('shows the error of a login with a solution, and solves another challenge for the next one', async () => {
    const [first, second] = [await testChallenge(), await testChallenge()]
    const wrong: FakeAnswer = [401, { detail: 'No.', code: 'wrong-credentials' }]
    const logins = startLoginServer([challengeAnswer(first), wrong, challengeAnswer(second), wrong])
    await renderPage(<LoginPage redirect={undefined} />, { path: '/login' })
    await logIn()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('Invalid username or password.')
    expect(screen.queryByRole('progressbar')).toBeNull()
    await user.type(screen.getByLabelText('Password'), 'more words{Enter}')
    await waitFor(() => expect(logins).toHaveLength(4))
    expect(logins.map(({ altcha }) => altcha?.challenge.signature)).toEqual([
      undefined,
      first.signature,
      undefined,
      second.signature,
    ])
  })

  test('shows an error if no solution is accepted', async () => {
    startLoginServer([challengeAnswer(await testChallenge())])
    await renderPage(<LoginPage redirect={undefined} />, { path: '/login' })
    await logIn()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe("Couldn't verify you're human. Try again.")
    expect(screen.getByRole('button', { name: 'Log in' })).toHaveProperty('disabled', false)
  })
})
