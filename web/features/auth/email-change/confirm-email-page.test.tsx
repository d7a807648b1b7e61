import { errors } from '@reelmark/contract/protocol/errors.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countRequests, type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { ConfirmEmailPage } from './confirm-email-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function startFakeServer(answer: FakeAnswer = [200, { detail: 'Done.', email: 'new@a.example' }]) {
  return fakeApi(({ path }) =>
    path === '/auth/email-change-confirm/' ? answer : [200, testProfile('alice')],
  )
}

const pressButton = () => user.click(screen.getByRole('button', { name: 'Confirm email' }))

test('the new address is used after the button was pressed', async () => {
  const requests = startFakeServer()
  await renderPage(<ConfirmEmailPage token="token-1" />)
  expect(requests).toEqual([])
  await pressButton()
  expect((await screen.findByText(/is now/)).textContent).toContain('new@a.example')
  expect(requests.map(({ body }) => body)).toEqual([{ token: 'token-1' }])
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
})

test('a signed-in user stays signed in, and their profile is fetched again', async () => {
  signInAs('alice')
  const requests = startFakeServer()
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await pressButton()
  expect(await screen.findByRole('link', { name: 'Go to Settings' })).toBeTruthy()
  await waitFor(() => expect(countRequests(requests, '/profile/alice/')).toBe(1))
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
})

test.for(['', 'token-1'])('an invalid link (%j) leads to a new one', async (token) => {
  startFakeServer([400, { detail: errors['invalid-email-link'][1], code: 'invalid-email-link' }])
  await renderPage(<ConfirmEmailPage token={token} />)
  if (token !== '') await pressButton()
  await screen.findByText('The link is invalid or has expired.')
  expect(screen.getByRole('link', { name: /new link/ }).getAttribute('href')).toBe('/settings/account')
})

test('an address used by another account shows an error', async () => {
  startFakeServer([400, { detail: 'This email is already used by another account.' }])
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await pressButton()
  await screen.findByText('This email is already used by another account.')
})

test.for<[FakeAnswer, string]>([
  ['offline', 'An error occurred. Please try again.'],
  [[429, { detail: errors['rate-limited'][1], code: 'rate-limited' }], errors['rate-limited'][1]],
])('any other failure (%j) shows an error and can be retried', async ([answer, text]) => {
  startFakeServer(answer)
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await pressButton()
  await screen.findByText(text)
  expect(screen.getByRole('button', { name: 'Confirm email' })).toHaveProperty('disabled', false)
})
