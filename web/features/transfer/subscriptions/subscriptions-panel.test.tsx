import type { Subscription } from '@reelmark/contract/subscriptions.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { SubscriptionsPanel } from './subscriptions-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const subscription = (more: Partial<Subscription> = {}): Subscription => ({
  id: 1,
  url: 'https://tube.example/c/films',
  title: 'Films',
  collection: { id: 3, name: 'My Vault' },
  channel: null,
  access: 'private',
  is_paused: false,
  problem: null,
  saved_count: 2,
  checked_at: '2026-11-20T10:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
  ...more,
})

async function renderPanel(answers: Record<string, () => FakeAnswer>) {
  const requests = fakeApi(({ path, method }) => {
    const answer = answers[`${method} ${path.split('?')[0]}`]
    return answer === undefined ? [200, { count: 0, next: null, previous: null, results: [] }] : answer()
  })
  await renderPage(<SubscriptionsPanel />)
  return requests
}

test('subscriptions are listed with their problem, paused, and ended', async () => {
  let item = subscription({ problem: 'The site is busy.' })
  const requests = await renderPanel({
    'GET /subscriptions/': () => [200, [item]],
    'PATCH /subscriptions/1/': () => {
      item = subscription({ is_paused: true })
      return [200, item]
    },
    'DELETE /subscriptions/1/': () => [204],
  })
  const list = await screen.findByRole('list', { name: 'Subscriptions' })
  expect(within(list).getByText('The site is busy.')).toBeTruthy()
  expect(within(list).getByText('Saves to My Vault')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Pause Films' }))
  expect(await screen.findByRole('button', { name: 'Resume Films' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'End Films' }))
  await user.click(screen.getByRole('button', { name: 'End subscription' }))
  expect(await screen.findByText('No subscriptions yet.')).toBeTruthy()
  const written = requests.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body])
  expect(written).toEqual([
    ['PATCH', { is_paused: true }],
    ['DELETE', null],
  ])
})

test('a subscription needs an address and a collection', async () => {
  const requests = await renderPanel({ 'GET /subscriptions/': () => [200, []] })
  await user.click(await screen.findByRole('button', { name: 'Subscribe' }))
  const dialog = screen.getByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Subscribe' }))
  expect(await within(dialog).findByText('Enter the address of a channel or feed.')).toBeTruthy()
  expect(within(dialog).getByText('Please select a collection.')).toBeTruthy()
  expect(requests.some(({ method }) => method === 'POST')).toBe(false)
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Web address')))
})
