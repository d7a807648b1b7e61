import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { PauseHistorySwitch } from './pause-history-switch.tsx'

beforeEach(() => {
  resetBrowser()
  signInAs('alice', { profile: { is_history_paused: false } })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function renderSwitch(answer: FakeAnswer) {
  const requests = fakeApi(() => answer)
  await renderPage(<PauseHistorySwitch />)
  return { requests, control: screen.getByRole<HTMLInputElement>('switch', { name: 'Pause history' }) }
}

test('the history can be paused, which the session remembers', async () => {
  const { requests, control } = await renderSwitch([200, { is_history_paused: true }])
  expect(control.checked).toBe(false)
  await userEvent.click(control)
  await waitFor(() => expect(getSession().user?.profile.is_history_paused).toBe(true))
  expect(control.checked).toBe(true)
  expect(requests.filter(({ method }) => method === 'PATCH')).toMatchObject([
    { path: '/profile/alice/', body: { is_history_paused: true } },
  ])
})

test('a change that cannot be saved is undone and shows an error', async () => {
  const { control } = await renderSwitch('offline')
  await userEvent.click(control)
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Couldn't save\./)
  expect(control.checked).toBe(false)
})
