import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { TrashPage } from './trash-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
  stubIntersectionObserver()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const trashed = (id: number) => ({
  ...{ id, video_id: id, title: `Film ${id}`, thumbnail_url: null, thumbnail_large_url: null },
  ...{ user_username: 'alice', host: 'films.example.org', orientation: 'sfw', shape: 'landscape' },
  ...{ duration: null, created_at: '2026-01-01T00:00:00Z', saves_count: 0, likes_count: 0, is_public: false },
  ...{ collection: { id: 1, name: 'My Vault' }, channel: null, deleted_at: '2026-01-02T00:00:00Z' },
  days_left: 4,
})

/** What is restored or given up is not in the trash any more when it is asked for again, which `answer` answers. */
async function renderTrash(ids: number[]): Promise<{ answer: () => Promise<void> }> {
  let left = ids
  let waiting: (() => void) | null = null
  fakeApi(async ({ method, path, body }) => {
    if (method === 'GET' && path.startsWith('/bookmarks/trash/')) {
      if (left.length < ids.length) {
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
      return [200, { count: left.length, next: null, previous: null, results: left.map(trashed) }]
    }
    const gone = method === 'DELETE' ? left : (body as { ids: number[] }).ids
    left = left.filter((id) => !gone.includes(id))
    return path === '/bookmarks/bulk/'
      ? [200, { changed: gone.length, unchanged: 0, failed: [], before: [] }]
      : [200, { removed: gone.length, remaining: 0 }]
  })
  await renderPage(<TrashPage page={1} />)
  return {
    async answer() {
      await waitFor(() => expect(waiting).not.toBeNull())
      waiting?.()
      waiting = null
    },
  }
}

const checkboxOf = (name: string) => screen.findByRole('checkbox', { name })
const hasFocus = async (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element))

test('the keyboard goes on at what is left in the trash, and at the heading when nothing is', async () => {
  const trash = await renderTrash([1, 2])
  await user.click(await screen.findByRole('button', { name: 'Restore Film 1' }))
  // Still there, until the trash was asked again.
  await hasFocus(await checkboxOf('Film 1'))
  await trash.answer()
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Film 1' })).toBeNull())
  await hasFocus(await checkboxOf('Film 2'))

  await user.click(screen.getByRole('button', { name: 'Empty trash' }))
  const [, button] = await screen.findAllByRole('button', { name: 'Empty trash' })
  if (button !== undefined) await user.click(button)
  await trash.answer()
  await screen.findByText('The trash is empty')
  await hasFocus(screen.getByRole('heading', { level: 1, name: 'Trash' }))
})
