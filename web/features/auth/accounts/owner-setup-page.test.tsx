import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { OwnerSetupPage } from './owner-setup-page.tsx'

const user = userEvent.setup({ delay: null })
beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function submit(answer: FakeAnswer, hash = '#a-token') {
  const requests = fakeApi(({ path }) =>
    path === '/setup/owner/' ? answer : [404, { detail: 'Not found.', code: 'not-found' }],
  )
  await renderPage(<OwnerSetupPage />)
  window.location.hash = hash
  await user.type(screen.getByLabelText(/Username/), ' olga ')
  await user.type(screen.getByLabelText(/Email/), 'olga@example.org')
  await user.type(screen.getByLabelText('Password'), 'a lantern above the quay')
  await user.type(screen.getByLabelText('Confirm Password'), 'a lantern above the quay')
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  return requests.filter(({ method }) => method === 'POST')
}

test('the token after # is sent with the form, and success is announced with a link to the login', async () => {
  const [request] = await submit([201, { id: 1, username: 'olga', email: 'olga@example.org' }])
  expect(request?.body).toMatchObject({ token: 'a-token', username: 'olga' })
  expect(await screen.findByText(/You are the owner of this site/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
})

test('an invalid link is reported above the form, which gets the focus', async () => {
  const text = 'This setup link is invalid or has expired. Restart Reelmark to get a new one.'
  const [request] = await submit([400, { detail: text, code: 'invalid-setup-link' }], '')
  expect(request?.body).toMatchObject({ token: '-' })
  const notice = await screen.findByRole('alert')
  expect(notice.textContent).toContain(text)
  expect(notice.contains(document.activeElement)).toBe(true)
})

test('an incomplete form is not sent, and each field says what is missing', async () => {
  const requests = fakeApi(() => [500, null])
  await renderPage(<OwnerSetupPage />)
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  expect(screen.getByText('Username is required.')).toBeDefined()
  expect(screen.getByText('Password is required.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText(/Username/))
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
})
