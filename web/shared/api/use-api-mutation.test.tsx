import { createCollection } from '@reelmark/contract/collections.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useApiMutation } from './use-api-mutation.ts'

afterEach(() => {
  cleanup()
  resetBrowser()
  vi.unstubAllGlobals()
})

const created = { id: 7, name: 'Favourites' }

function CreateButton({ onSuccess = () => undefined }: { onSuccess?: (reply: { id: number }) => void }) {
  const { busy, errorText, run } = useApiMutation(createCollection, { onSuccess })
  return (
    <>
      <Button busy={busy} onClick={() => void run({ body: { name: 'Favourites', access: 'public' } })}>
        Create
      </Button>
      <ErrorNotice text={errorText} />
    </>
  )
}

const button = () => screen.getByRole('button', { name: 'Create' })

test('marks the button as busy during the write, then passes on the response', async () => {
  signInAs('ada')
  let answer: (reply: FakeAnswer) => void = () => undefined
  fakeApi(() => new Promise<FakeAnswer>((resolve) => (answer = resolve)))
  const onSuccess = vi.fn()
  await renderPage(<CreateButton onSuccess={onSuccess} />)

  await userEvent.click(button())
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBe('true'))
  answer([201, created])
  await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce())
  expect(onSuccess.mock.calls[0]?.[0]).toMatchObject({ id: 7 })
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull())
})

test('sends one request when the button is pressed twice in a row', async () => {
  signInAs('ada')
  const requests = fakeApi(() => [201, created])
  await renderPage(<CreateButton />)
  const createButton = button()
  createButton.click()
  createButton.click()
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull())
  expect(requests).toHaveLength(1)
})

test('shows why the write failed, and removes the text when it is sent again', async () => {
  signInAs('ada')
  let reply: FakeAnswer = [409, { detail: 'You have too many collections.' }]
  fakeApi(() => reply)
  await renderPage(<CreateButton />)
  await userEvent.click(button())
  expect((await screen.findByRole('alert')).textContent).toBe('You have too many collections.')
  reply = [201, created]
  await userEvent.click(button())
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('repeats the idempotency key after a lost connection, and uses a new one after a response', async () => {
  signInAs('ada')
  const replies: FakeAnswer[] = [
    'offline',
    [500],
    [400, { name: ['Too long.'] }],
    [201, created],
    [201, created],
  ]
  const requests = fakeApi(() => replies.shift() ?? [500])
  await renderPage(<CreateButton />)
  for (let count = 1; count <= 5; count++) {
    await userEvent.click(button())
    await waitFor(() => expect(requests).toHaveLength(count))
    await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull())
  }
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).toBe(keys[0])
  expect(new Set(keys).size).toBe(3)
})
