import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ShareDialog } from './share-dialog.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  stubIntersectionObserver()
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function renderDialog(container: { kind?: 'collection' | 'channel'; access: 'public' | 'private' }) {
  fakeApi(({ path }) =>
    path === '/collections/4/link/' ? [200, { link: null, public_count: 2, private_count: 0 }] : [404, {}],
  )
  function TestPage() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Share
        </button>
        <ShareDialog
          container={{
            kind: 'collection',
            id: 4,
            name: 'Diary',
            bookmarksCount: 2,
            cover: { url: null, orientation: null },
            username: 'alice',
            ...container,
          }}
          open={open}
          onClose={() => setOpen(false)}
        />
      </>
    )
  }
  await renderPage(<TestPage />)
  await user.click(await screen.findByRole('button', { name: 'Share' }))
}

const secretLink = () => screen.queryByRole('button', { name: 'Secret link' })

test('the secret link of a private collection is created from its share dialog', async () => {
  await renderDialog({ access: 'private' })
  expect(screen.getByText(/make it public or create a secret link/)).toBeTruthy()
  await user.click(secretLink() as HTMLElement)
  expect(await screen.findByRole('button', { name: 'Create link' })).toBeTruthy()
  expect(screen.getAllByRole('dialog').map((dialog) => dialog.textContent?.slice(0, 11))).toEqual([
    'Secret link',
  ])
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Share' }))
  expect(screen.getByRole('dialog', { name: 'Share Diary' })).toBeTruthy()
})

test.for([{ access: 'public' }, { kind: 'channel', access: 'private' }] as const)(
  'there is no secret link without need or for a channel: %o',
  async (container) => {
    await renderDialog(container)
    expect(screen.getByRole('dialog', { name: 'Share Diary' })).toBeTruthy()
    expect(secretLink()).toBeNull()
  },
)
