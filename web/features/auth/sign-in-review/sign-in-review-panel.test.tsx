import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { SignInReviewPanel } from './sign-in-review-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const time = '2026-11-20T00:00:00Z'
const review = {
  since: time,
  authenticator_since: time,
  passkeys: [{ id: 4, name: 'Phone', is_synced: true, created_at: time, last_used_at: null }],
  identities: [{ id: 5, issuer: 'id.example', email: 'a@b.example', created_at: time, last_used_at: null }],
}

async function renderPanel(answer: FakeAnswer = [204]) {
  const requests = fakeApi(({ method }) => (method === 'POST' ? answer : [200, review]))
  await renderPage(<SignInReviewPanel />)
  await screen.findByRole('group', { name: /^Authenticator app/ })
  return requests.filter.bind(requests, ({ method }: { method: string }) => method === 'POST')
}

const choose = (name: RegExp, choice: 'Keep' | 'Remove') =>
  user.click(within(screen.getByRole('group', { name })).getByRole('radio', { name: choice }))
const save = () => user.click(screen.getByRole('button', { name: 'Save' }))

test('each linked method is kept or removed, as the user decides', async () => {
  const posts = await renderPanel()
  await choose(/^Authenticator app/, 'Keep')
  await choose(/^Passkey “Phone”/, 'Remove')
  await choose(/^Account at id\.example \(a@b\.example\)/, 'Remove')
  await save()
  expect(posts().map(({ body }) => body)).toEqual([
    { remove_authenticator: false, remove_passkeys: [4], remove_identities: [5] },
  ])
})

test('nothing is preselected, and an incomplete decision is not sent', async () => {
  const posts = await renderPanel()
  expect(screen.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).checked)).toEqual([])
  await choose(/^Authenticator app/, 'Remove')
  await save()
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toBe('Choose Keep or Remove for each.')
  expect(document.activeElement).toBe(alert)
  expect(posts()).toEqual([])
})

test('a refused decision shows the reason', async () => {
  await renderPanel([500, { detail: 'Something with an id.' }])
  for (const name of [/^Authenticator app/, /^Passkey/, /^Account/]) await choose(name, 'Keep')
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe('An error occurred. Please try again.')
})
