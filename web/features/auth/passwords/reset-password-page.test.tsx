import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { ForgotPasswordPage } from './forgot-password-page.tsx'
import { resetPageHead } from './reset-page-head.ts'
import { ResetPasswordPage } from './reset-password-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const invalidLinkAnswer = 'The password reset link is invalid or has expired.'

async function requestReset(email: string) {
  if (email) await user.type(screen.getByLabelText('Email Address'), email)
  await user.click(screen.getByRole('button', { name: 'Send Password Reset Email' }))
}

async function showResetForm(answer: FakeAnswer) {
  const requests = fakeApi(({ path }) =>
    path === '/auth/password-reset-confirm/' ? answer : [401, { detail: 'over' }],
  )
  await renderPage(<ResetPasswordPage uidb64="Nw" token="abc-123" />)
  return requests
}

const first = () => screen.getByLabelText('New Password')
const second = () => screen.getByLabelText('Confirm New Password')

async function choosePassword(id: string, two = id) {
  if (id) await user.type(first(), id)
  if (two) await user.type(second(), two)
  await user.click(screen.getByRole('button', { name: 'Reset Password' }))
}

test('whoever asks for a link is told the same as everybody, and keeps the keyboard', async () => {
  const requests = fakeApi(() => [200, { detail: 'anything' }])
  await renderPage(<ForgotPasswordPage />)
  await requestReset(' a@b.example ')
  const told = await screen.findByRole('status')
  expect(told.textContent).toBe('If an account with that email exists, a password reset link has been sent.')
  expect(document.activeElement).toBe(told)
  expect(requests[0]?.body).toEqual({ email: 'a@b.example' })
  await user.click(screen.getByRole('button', { name: 'Try a different email' }))
  expect(screen.getByLabelText('Email Address')).toHaveProperty('value', 'a@b.example')
  expect(document.activeElement).toBe(screen.getByLabelText('Email Address'))
})

test('without an address nothing is sent', async () => {
  const requests = fakeApi(() => [200, {}])
  await renderPage(<ForgotPasswordPage />)
  await requestReset(' ')
  expect(screen.getByRole('alert').textContent).toBe('Email is required.')
  expect(document.activeElement).toBe(screen.getByLabelText('Email Address'))
  expect(requests).toEqual([])
})

test('what the server has against the address stands at its field', async () => {
  fakeApi(() => [400, { code: 'invalid', email: ['Enter a valid email address.'] }])
  await renderPage(<ForgotPasswordPage />)
  await requestReset('nobody')
  expect((await screen.findByRole('alert')).textContent).toBe('Enter a valid email address.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email Address')))
  expect(screen.getByLabelText('Email Address')).toHaveProperty('value', 'nobody')
})

test.for<[FakeAnswer, string]>([
  ['offline', 'An error occurred. Please try again.'],
  [[502, 'not json'], 'An error occurred. Please try again.'],
  [[500, { detail: 'Something with an id.' }], 'An error occurred. Please try again.'],
  [[429, { detail: 'Too many requests.' }], 'Too many requests.'],
])('a request answered %j is told as such, and the address stays', async ([answer, text]) => {
  fakeApi(() => answer)
  await renderPage(<ForgotPasswordPage />)
  await requestReset('a@b.example')
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(screen.getByLabelText('Email Address')).toHaveProperty('value', 'a@b.example')
})

test('a new password goes with the parts of the link, and leads to the login', async () => {
  const requests = await showResetForm([200, { detail: 'anything' }])
  await choosePassword('a few new words')
  const told = await screen.findByRole('status')
  expect(told.textContent).toBe('Your password has been reset successfully!')
  expect(document.activeElement).toBe(told)
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
  expect(requests.map(({ body }) => body)).toEqual([
    { uidb64: 'Nw', token: 'abc-123', new_password1: 'a few new words', new_password2: 'a few new words' },
  ])
})

test('a session that the reset has ended is over in this browser, too', async () => {
  signInAs('alice')
  const requests = await showResetForm([200, {}])
  await choosePassword('a few new words')
  await screen.findByRole('status')
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
  expect(getSession().status).toBe('signed-out')
})

test.for<[string, string, string[], () => HTMLElement]>([
  ['', '', ['New password is required.', 'Please confirm your new password.'], first],
  ['', 'some words', ['New password is required.'], first],
  ['some words', '', ['Please confirm your new password.'], second],
  ['some words', 'other words', ['Passwords do not match.'], second],
])('%j and %j are not sent: %j', async ([id, two, texts, focused]) => {
  const requests = await showResetForm([200, {}])
  await choosePassword(id, two)
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(texts)
  expect(document.activeElement).toBe(focused())
  expect(first()).toHaveProperty('value', id)
  expect(requests).toEqual([])
})

test('what the server has against the passwords stands at each field', async () => {
  await showResetForm([
    400,
    {
      new_password2: ['Not the same.'],
      new_password1: ['Too short.', 'Too common.'],
      non_field_errors: ['And.'],
    },
  ])
  await choosePassword('password')
  await screen.findByText('Too common.')
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'And.',
    'Too short.Too common.',
    'Not the same.',
  ])
  await waitFor(() => expect(document.activeElement).toBe(first()))
  expect(second()).toHaveProperty('value', 'password')
})

test.for<[FakeAnswer, string]>([
  [[429, { detail: 'Too many requests.' }], 'Too many requests.'],
  [
    [400, { detail: "Something in this request isn't valid.", code: 'invalid' }],
    "Something in this request isn't valid.",
  ],
  [[502, null], 'An error occurred. Please try again.'],
  ['offline', 'An error occurred. Please try again.'],
])('a reset answered %j is told as such, and can be tried again', async ([answer, text]) => {
  await showResetForm(answer)
  await choosePassword('a few new words')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(text)
  await waitFor(() => expect(document.activeElement).toBe(alert))
  expect(first()).toHaveProperty('value', 'a few new words')
})

test.for<[FakeAnswer]>([
  [[400, { detail: invalidLinkAnswer, code: 'invalid-reset-link' }]],
  [[400, { code: 'invalid', token: ['Too long.'] }]],
  [[400, { code: 'invalid', uidb64: ['Too long.'] }]],
])('a link refused with %j leads to a new one', async ([answer]) => {
  await showResetForm(answer)
  await choosePassword('a few new words')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(invalidLinkAnswer)
  expect(document.activeElement).toBe(alert)
  expect(screen.queryByRole('button', { name: 'Reset Password' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe(
    '/forgot-password',
  )
})

test.for([{}, { uidb64: 'Nw' }, { token: 'abc' }, { uidb64: '', token: 'abc' }])(
  'a link of which only %j arrived is none',
  async (link) => {
    await renderPage(<ResetPasswordPage {...link} />)
    expect(screen.getByText('Invalid password reset link.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeTruthy()
    expect(screen.queryByLabelText('New Password')).toBeNull()
  },
)

test('password managers find their fields', async () => {
  await renderPage(<ResetPasswordPage uidb64="Nw" token="abc" />)
  expect(first().getAttribute('autocomplete')).toBe('new-password')
  expect(second().getAttribute('autocomplete')).toBe('new-password')
})

test('the address of a reset page is told to nobody', () => {
  const { meta } = resetPageHead({
    title: 'Reset Password',
    description: 'x',
    publicUrl: 'https://a.example',
    path: '/reset-password',
  })
  expect(meta).toContainEqual({ name: 'referrer', content: 'no-referrer' })
  expect(meta).toContainEqual({ name: 'robots', content: 'noindex, follow' })
})
