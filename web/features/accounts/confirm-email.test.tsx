import { errors } from '@reelmark/contract/errors.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countOf, type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { aProfile, freshBrowser, signedInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ConfirmEmailPage } from './confirm-email.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(freshBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function aServer(answer: FakeAnswer = [200, { detail: 'Done.', email: 'new@a.example' }]) {
  return fakeApi(({ path }) => (path === '/auth/email-change-confirm/' ? answer : [200, aProfile('alice')]))
}

const press = () => user.click(screen.getByRole('button', { name: 'Confirm email' }))

test('the address counts once it is confirmed by a press', async () => {
  const requests = aServer()
  await renderPage(<ConfirmEmailPage token="token-1" />)
  expect(requests).toEqual([])
  await press()
  expect((await screen.findByText(/is now/)).textContent).toContain('new@a.example')
  expect(requests.map(({ body }) => body)).toEqual([{ token: 'token-1' }])
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
})

test('who is signed in stays so, and their profile is asked for anew', async () => {
  signedInAs('alice')
  const requests = aServer()
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await press()
  expect(await screen.findByRole('link', { name: 'Go to Settings' })).toBeTruthy()
  await waitFor(() => expect(countOf(requests, '/profile/alice/')).toBe(1))
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
})

test.for(['', 'token-1'])('a link that does not work (%j) leads to a new one', async (token) => {
  aServer([400, { detail: errors['bad-email-link'][1] }])
  await renderPage(<ConfirmEmailPage token={token} />)
  if (token !== '') await press()
  await screen.findByText('The link is invalid or has expired.')
  expect(screen.getByRole('link', { name: /new link/ }).getAttribute('href')).toBe('/settings/account')
})

test('an address that another account got first is told as such', async () => {
  aServer([400, { detail: 'This email is already used by another account.' }])
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await press()
  await screen.findByText('This email is already used by another account.')
})

test.for<[FakeAnswer, string]>([
  ['offline', 'An error occurred. Please try again.'],
  [[429, { detail: errors['too-many'][1] }], errors['too-many'][1]],
])('what went wrong otherwise (%j) is told, and can be tried again', async ([answer, text]) => {
  aServer(answer)
  await renderPage(<ConfirmEmailPage token="token-1" />)
  await press()
  await screen.findByText(text)
  expect(screen.getByRole('button', { name: 'Confirm email' })).toHaveProperty('disabled', false)
})
