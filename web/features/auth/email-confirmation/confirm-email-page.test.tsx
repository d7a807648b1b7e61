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

const confirmPath = '/auth/email-confirmation/'
const readPath = '/auth/email-confirmation/read/'

function startFakeServer(
  answer: FakeAnswer = [200, { detail: 'Done.', email: 'new@a.example' }],
  readAnswer: FakeAnswer = [200, { username: 'alice', email: 'new@a.example' }],
) {
  return fakeApi(({ path }) =>
    path === confirmPath ? answer : path === readPath ? readAnswer : [200, testProfile('alice')],
  )
}

const pressButton = async () => user.click(await screen.findByRole('button', { name: 'Confirm email' }))

test('the page names the account, and the address is confirmed after the button was pressed', async () => {
  const requests = startFakeServer()
  await renderPage(<ConfirmEmailPage token="token-1" />)
  expect((await screen.findByText('alice')).tagName).toBe('DD')
  expect(screen.getByText('new@a.example').tagName).toBe('DD')
  expect(requests.map(({ path }) => path)).toEqual([readPath])
  await pressButton()
  expect((await screen.findByText(/is confirmed/)).textContent).toContain('new@a.example')
  expect(requests.filter(({ path }) => path === confirmPath).map(({ body }) => body)).toEqual([
    { token: 'token-1' },
  ])
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
})

test('a signed-in user confirms with their session, and their profile is fetched again', async () => {
  signInAs('alice')
  const requests = startFakeServer()
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await pressButton()
  expect(await screen.findByRole('link', { name: 'Go to Settings' })).toBeTruthy()
  await waitFor(() => expect(countRequests(requests, '/profile/alice/')).toBe(1))
  const confirmation = requests.find(({ path }) => path === confirmPath)
  expect(confirmation?.headers).toHaveProperty('authorization')
})

const badLink: FakeAnswer = [400, { detail: errors['invalid-email-link'][1], code: 'invalid-email-link' }]

test.for<[string, FakeAnswer | undefined]>([
  ['', undefined],
  ['token-1', undefined],
  ['token-1', badLink],
])('an invalid link (%j, %j) leads to a new one', async ([token, readAnswer]) => {
  startFakeServer(badLink, readAnswer)
  await renderPage(<ConfirmEmailPage token={token} />)
  if (token !== '' && readAnswer === undefined) await pressButton()
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

test('a link that could not be read can be tried again', async () => {
  const answers: FakeAnswer[] = ['offline', [200, { username: 'alice', email: 'new@a.example' }]]
  fakeApi(({ path }) => (path === readPath ? (answers.shift() ?? 'offline') : [404, {}]))
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('alice')
})
