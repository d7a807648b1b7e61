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

async function openResetForm(answer: FakeAnswer) {
  const requests = fakeApi(({ path }) =>
    path === '/auth/password-reset-confirm/' ? answer : [401, { detail: 'over' }],
  )
  await renderPage(<ResetPasswordPage uidb64="Nw" token="abc-123" />)
  return requests
}

const passwordField = () => screen.getByLabelText('New Password')
const confirmationField = () => screen.getByLabelText('Confirm New Password')

async function choosePassword(password: string, confirmation = password) {
  if (password) await user.type(passwordField(), password)
  if (confirmation) await user.type(confirmationField(), confirmation)
  await user.click(screen.getByRole('button', { name: 'Reset Password' }))
}

test('requesting a reset link shows the same message for every address and focuses it', async () => {
  const requests = fakeApi(() => [200, { detail: 'anything' }])
  await renderPage(<ForgotPasswordPage />)
  await requestReset(' a@b.example ')
  const notice = await screen.findByRole('status')
  expect(notice.textContent).toBe(
    'If an account with that email exists, a password reset link has been sent.',
  )
  expect(document.activeElement).toBe(notice)
  expect(requests[0]?.body).toEqual({ email: 'a@b.example' })
  await user.click(screen.getByRole('button', { name: 'Try a different email' }))
  expect(screen.getByLabelText('Email Address')).toHaveProperty('value', 'a@b.example')
  expect(document.activeElement).toBe(screen.getByLabelText('Email Address'))
})

test('without an address, nothing is sent', async () => {
  const requests = fakeApi(() => [200, {}])
  await renderPage(<ForgotPasswordPage />)
  await requestReset(' ')
  expect(screen.getByRole('alert').textContent).toBe('Email is required.')
  expect(document.activeElement).toBe(screen.getByLabelText('Email Address'))
  expect(requests).toEqual([])
})

test('a server error about the address appears at its field', async () => {
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
])('a request with the response %j shows the error and keeps the address', async ([answer, text]) => {
  fakeApi(() => answer)
  await renderPage(<ForgotPasswordPage />)
  await requestReset('a@b.example')
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(screen.getByLabelText('Email Address')).toHaveProperty('value', 'a@b.example')
})

test('a new password is sent with the parts of the link, then the login is offered', async () => {
  const requests = await openResetForm([200, { detail: 'anything' }])
  await choosePassword('a few new words')
  const notice = await screen.findByRole('status')
  expect(notice.textContent).toBe('Your password has been reset successfully!')
  expect(document.activeElement).toBe(notice)
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
  expect(requests.map(({ body }) => body)).toEqual([
    { uidb64: 'Nw', token: 'abc-123', new_password1: 'a few new words', new_password2: 'a few new words' },
  ])
})

test('if linked sign-in methods wait for a decision, the login leads to them', async () => {
  await openResetForm([200, { detail: 'anything', review_required: true }])
  await choosePassword('a few new words')
  await screen.findByText(/decide which of them are yours/)
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(
    '/login?redirect=%2Fsettings%2Fsecurity',
  )
})

test('a session that the reset ended is also ended in this browser', async () => {
  signInAs('alice')
  const requests = await openResetForm([200, {}])
  await choosePassword('a few new words')
  await screen.findByRole('status')
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
  expect(getSession().status).toBe('signed-out')
})

test.for<[string, string, string[], () => HTMLElement]>([
  ['', '', ['New password is required.', 'Please confirm your new password.'], passwordField],
  ['', 'some words', ['New password is required.'], passwordField],
  ['some words', '', ['Please confirm your new password.'], confirmationField],
  ['some words', 'other words', ['Passwords do not match.'], confirmationField],
])('the passwords %j and %j are not sent: %j', async ([password, confirmation, texts, focusedField]) => {
  const requests = await openResetForm([200, {}])
  await choosePassword(password, confirmation)
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(texts)
  expect(document.activeElement).toBe(focusedField())
  expect(passwordField()).toHaveProperty('value', password)
  expect(requests).toEqual([])
})

test('server errors about passwords appear at their fields', async () => {
  await openResetForm([
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
  await waitFor(() => expect(document.activeElement).toBe(passwordField()))
  expect(confirmationField()).toHaveProperty('value', 'password')
})

test.for<[FakeAnswer, string]>([
  [[429, { detail: 'Too many requests.' }], 'Too many requests.'],
  [
    [400, { detail: "Something in this request isn't valid.", code: 'invalid' }],
    "Something in this request isn't valid.",
  ],
  [[502, null], 'An error occurred. Please try again.'],
  ['offline', 'An error occurred. Please try again.'],
])('a reset with the response %j shows the error and can be retried', async ([answer, text]) => {
  await openResetForm(answer)
  await choosePassword('a few new words')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(text)
  await waitFor(() => expect(document.activeElement).toBe(alert))
  expect(passwordField()).toHaveProperty('value', 'a few new words')
})

test.for<[FakeAnswer]>([
  [[400, { detail: invalidLinkAnswer, code: 'invalid-reset-link' }]],
  [[400, { code: 'invalid', token: ['Too long.'] }]],
  [[400, { code: 'invalid', uidb64: ['Too long.'] }]],
])('a link refused with %j leads to a new one', async ([answer]) => {
  await openResetForm(answer)
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
  'a link of which only %j arrived is invalid',
  async (link) => {
    await renderPage(<ResetPasswordPage {...link} />)
    expect(screen.getByText('Invalid password reset link.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeTruthy()
    expect(screen.queryByLabelText('New Password')).toBeNull()
  },
)

test('password managers find their fields', async () => {
  await renderPage(<ResetPasswordPage uidb64="Nw" token="abc" />)
  expect(passwordField().getAttribute('autocomplete')).toBe('new-password')
  expect(confirmationField().getAttribute('autocomplete')).toBe('new-password')
})

test('reset pages send no referrer and are not indexed', () => {
  const { meta } = resetPageHead({
    title: 'Reset Password',
    description: 'x',
    publicUrl: 'https://a.example',
    path: '/reset-password',
  })
  expect(meta).toContainEqual({ name: 'referrer', content: 'no-referrer' })
  expect(meta).toContainEqual({ name: 'robots', content: 'noindex, follow' })
})
