import type { Challenge } from '@reelmark/contract/challenge.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { RegisterPage } from '../accounts/register-page.tsx'

const user = userEvent.setup({ delay: null })

// What is asked for later takes its time on a busy machine.
beforeAll(() => import('./solve-challenge.ts'))
beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Quickly solved, by the number 40. */
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

/** Answers registrations one after the other, the last answer from then on. */
function startFakeServer(answers: FakeAnswer[]): SentRegistration[] {
  const sent: SentRegistration[] = []
  fakeApi(({ path, body }: FakeRequest) => {
    if (path === '/auth/ways/') return [200, { oidc: null }]
    if (path === '/token/') return [200, { access: 'access-1', refresh: 'refresh-1' }]
    if (path !== '/auth/register/') return [404, { detail: 'Not found.', code: 'not-found' }]
    sent.push(body as SentRegistration)
    return answers[Math.min(sent.length, answers.length) - 1] ?? [500, null]
  })
  return sent
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

test('a challenge is solved on the way, and people are told meanwhile', async () => {
  const challenge = await testChallenge()
  const sent = startFakeServer([challengeAnswer(challenge), registeredAnswer])
  await renderPage(<RegisterPage redirect={undefined} />)
  const told: string[] = []
  const watch = new MutationObserver(() => {
    const bar = screen.queryByRole('progressbar')
    if (bar !== null) told.push(bar.getAttribute('aria-label') ?? '')
  })
  watch.observe(document.body, { subtree: true, childList: true, attributes: true })
  await signUp()
  expect(await screen.findByText("Your account has been created and you're now logged in!")).toBeTruthy()
  watch.disconnect()
  expect(told).toContain("Checking you're human…")
  expect(sent).toHaveLength(2)
  expect(sent[0]).not.toHaveProperty('altcha')
  expect(sent[1]).toMatchObject({ username: 'alice', altcha: { challenge, solution: { counter: 40 } } })
  expect(getSession().status).toBe('signed-in')
})

test('a solution that came too late is followed by another, and a taken name keeps it', async () => {
  const [first, second] = [await testChallenge(), await testChallenge()]
  const sent = startFakeServer([
    challengeAnswer(first),
    challengeAnswer(second),
    [400, { code: 'invalid', username: ['This name is taken.'] }],
    registeredAnswer,
  ])
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText('This name is taken.')).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
  await user.type(screen.getByLabelText(/Username/), '2')
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
  await waitFor(() => expect(sent).toHaveLength(4))
  expect(sent.map(({ altcha }) => altcha?.challenge.signature)).toEqual([
    undefined,
    first.signature,
    second.signature,
    second.signature,
  ])
})

test('where no solution is taken, that is told in the end, and what was typed stays', async () => {
  const sent = startFakeServer([challengeAnswer(await testChallenge())])
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText("Couldn't verify you're human. Try again.")).toBeTruthy()
  expect(sent).toHaveLength(4)
  expect(screen.getByLabelText(/^Password/)).toHaveProperty('value', 'secret words')
  expect(screen.getByRole('button', { name: 'Sign up' })).toHaveProperty('disabled', false)
})

test('a page that came over plain HTTP cannot solve it, and says so', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  startFakeServer([[403, { detail: 'Solve the challenge.', code: 'challenge-required', challenge: {} }]])
  await renderPage(<RegisterPage redirect={undefined} />)
  await signUp()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText(/requires a secure connection/)).toBeTruthy()
})
