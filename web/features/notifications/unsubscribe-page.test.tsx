import { errors } from '@reelmark/contract/protocol/errors.ts'
import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { UnsubscribePage } from './unsubscribe-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const pressButton = () => user.click(screen.getByRole('button', { name: 'Unsubscribe' }))

test('the button unsubscribes, opening the link does not', async () => {
  const requests = fakeApi(() => [200, { detail: 'Done.' }])
  await renderPage(<UnsubscribePage token="token-1" />)
  expect(requests).toEqual([])
  await pressButton()
  await screen.findByText("You're unsubscribed.")
  expect(requests.map(({ path, body }) => [path, body])).toEqual([
    ['/notifications/unsubscribe/', { token: 'token-1' }],
  ])
})

test.for<[FakeAnswer, string, number]>([
  [
    [400, { detail: errors['invalid-email-link'][1], code: 'invalid-email-link' }],
    errors['invalid-email-link'][1],
    0,
  ],
  ['offline', "Couldn't unsubscribe. Try again.", 1],
])(
  'a failure shows an error, with a retry button where that may help: %j',
  async ([answer, text, buttons]) => {
    fakeApi(() => answer)
    await renderPage(<UnsubscribePage token="token-1" />)
    await pressButton()
    await screen.findByText(text)
    expect(screen.queryAllByRole('button', { name: 'Unsubscribe' })).toHaveLength(buttons)
  },
)
