import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setRedirector } from '../../../shared/session/redirects.ts'
import { getSession } from '../../../shared/session/session-store.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { AccountSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  fakeDialogs()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function renderPanel(answers: Record<string, FakeAnswer> = {}, security: Record<string, unknown> = {}) {
  const requests = fakeApi(({ path, method }) => {
    const fakeReply = answers[`${method} ${path}`]
    if (fakeReply !== undefined) return fakeReply
    if (path === '/auth/security/') {
      return [
        200,
        {
          email: 'a@b.example',
          is_email_confirmed: true,
          pending_email: null,
          has_password: true,
          username_changeable_at: null,
          ...security,
        },
      ]
    }
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
  await renderPage(<AccountSettingsPanel />, { path: '/settings/account' })
  await screen.findByText('a@b.example')
  return requests
}

async function fillPasswords(old: string, first: string, second = first) {
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  if (old) await user.type(screen.getByLabelText('Current Password'), old)
  if (first) await user.type(screen.getByLabelText('New Password'), first)
  if (second) await user.type(screen.getByLabelText('Confirm New Password'), second)
  await user.click(screen.getByRole('button', { name: 'Change password' }))
}

test('a new email address is pending until its link was opened, and can be cancelled', async () => {
  const requests = await renderPanel({
    'POST /auth/email-change/': [200, { detail: 'Sent.', pending_email: 'new@b.example' }],
    'DELETE /auth/email-change/': [204],
  })
  await user.click(screen.getByRole('button', { name: 'Change email' }))
  const field = screen.getByLabelText('New email address')
  expect(document.activeElement).toBe(field)
  await user.type(field, ' new@b.example {Enter}')
  const notice = await screen.findByRole('status')
  expect(notice.textContent).toContain('We sent a link to new@b.example')
  expect(document.activeElement).toBe(notice)
  expect(screen.getByText('a@b.example')).toBeTruthy()
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ email: 'new@b.example' })
  await user.click(screen.getByRole('button', { name: 'Cancel change' }))
  await waitFor(() => expect(screen.queryByText('Confirm your new email')).toBeNull())
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change email' })),
  )
})

test('an unconfirmed address is explained, and its link can be sent again', async () => {
  const requests = await renderPanel(
    { 'POST /auth/email-confirmation/resend/': [204] },
    { is_email_confirmed: false, has_password: false },
  )
  expect(screen.getByText('Confirm your email')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Set a password' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Send the link again' }))
  await screen.findByText(/^Sent\./)
  expect(countRequests(requests, '/auth/email-confirmation/resend/')).toBe(1)
})

test('a link that cannot be sent again shows the reason', async () => {
  await renderPanel(
    { 'POST /auth/email-confirmation/resend/': [429, { detail: 'Too many requests.' }] },
    { is_email_confirmed: false },
  )
  await user.click(screen.getByRole('button', { name: 'Send the link again' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Too many requests.')
})

test('a confirmed address shows no notice', async () => {
  await renderPanel()
  expect(screen.queryByText('Confirm your email')).toBeNull()
})

test.for<[FakeAnswer, string]>([
  [[400, { code: 'invalid', email: ['Enter a valid email address.'] }], 'Enter a valid email address.'],
  [[429, { detail: 'Too many requests.' }], 'Too many requests.'],
  [[500, { detail: 'Something with an id.' }], 'An error occurred. Please try again.'],
  ['offline', "Can't reach Reelmark. Check your connection and try again."],
])('a new address with the response %j shows the reason and keeps the input', async ([answer, text]) => {
  await renderPanel({ 'POST /auth/email-change/': answer })
  await user.click(screen.getByRole('button', { name: 'Change email' }))
  await user.type(screen.getByLabelText('New email address'), 'new@b.example{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(screen.getByLabelText('New email address')).toHaveProperty('value', 'new@b.example')
})

test('changing the password asks for the old one and says that other devices were logged out', async () => {
  const requests = await renderPanel({ 'POST /auth/password-change/': [200, { detail: 'Done.' }] })
  await fillPasswords('old words', 'a few new words')
  const notice = await screen.findByRole('status')
  expect(notice.textContent).toBe(
    "Your password has been changed.You've been logged out on all other devices.",
  )
  expect(document.activeElement).toBe(notice)
  expect(requests.find(({ path }) => path === '/auth/password-change/')?.body).toEqual({
    old_password: 'old words',
    new_password1: 'a few new words',
    new_password2: 'a few new words',
  })
})

test.for<[string, string, string, string[]]>([
  [
    '',
    '',
    '',
    ['Current password is required.', 'New password is required.', 'Please confirm your new password.'],
  ],
  ['old', 'one thing', 'another', ['Passwords do not match.']],
])('the passwords %j, %j and %j are not sent: %j', async ([old, first, second, texts]) => {
  const requests = await renderPanel()
  await fillPasswords(old, first, second)
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(texts)
  expect(countRequests(requests, '/auth/password-change/')).toBe(0)
})

test('server errors about passwords appear at their fields, and the input stays', async () => {
  await renderPanel({
    'POST /auth/password-change/': [
      400,
      { code: 'invalid', old_password: ['Not this one.'], new_password1: ['Too common.'] },
    ],
  })
  await fillPasswords('old words', 'password')
  await screen.findByText('Too common.')
  expect(document.activeElement).toBe(screen.getByLabelText('Current Password'))
  expect(screen.getByLabelText('New Password')).toHaveProperty('value', 'password')
})

test('a user without a password requests a mail to set one', async () => {
  const requests = await renderPanel(
    { 'POST /auth/password-reset/': [200, { detail: 'Sent.' }] },
    { has_password: false },
  )
  await user.click(screen.getByRole('button', { name: 'Set a password' }))
  expect((await screen.findByRole('status')).textContent).toContain('Check your email')
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ email: 'a@b.example' })
  expect(screen.getByText(/You don't have a password\. Set one/)).toBeTruthy()
})

test('a user without a password deletes the account without setting one', async () => {
  const redirects: string[] = []
  const restoreRedirector = setRedirector((path) => redirects.push(path))
  const requests = await renderPanel({ 'POST /auth/account-delete/': [204] }, { has_password: false })
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Delete your account?' }))
  expect(dialog.queryByLabelText('Your password')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Delete my account' }))
  await waitFor(() => expect(redirects).toEqual(['/']))
  expect(requests.find(({ path }) => path === '/auth/account-delete/')?.body).toEqual({})
  restoreRedirector()
})

test('deleting the account asks for the password, signs out, and goes home with a message', async () => {
  const redirects: string[] = []
  const restoreRedirector = setRedirector((path) => redirects.push(path))
  await renderPanel({ 'POST /auth/account-delete/': [204] })
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Delete your account?' }))
  await user.click(dialog.getByRole('button', { name: 'Delete my account' }))
  expect(dialog.getByRole('alert').textContent).toBe('Password is required.')
  await user.type(dialog.getByLabelText('Your password'), 'secret words{Enter}')
  await waitFor(() => expect(redirects).toEqual(['/']))
  expect(getSession().status).toBe('signed-out')
  expect(sessionStorage.getItem('toast')).toBe('Your account has been deleted.')
  restoreRedirector()
})

test('a wrong password does not delete the account', async () => {
  await renderPanel({ 'POST /auth/account-delete/': [400, { code: 'invalid', password: ['Not this one.'] }] })
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  await user.type(screen.getByLabelText('Your password'), 'wrong{Enter}')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Not this one.'))
  expect(document.activeElement).toBe(screen.getByLabelText('Your password'))
  expect(getSession().status).toBe('signed-in')
})
