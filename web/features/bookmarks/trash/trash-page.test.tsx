import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { trashItem } from './trash-item.fixture.ts'
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

/**
 * Opens the trash on a simulated server. After an item was restored or deleted, the next request for the trash waits
 * for `answer`.
 */
async function renderTrash(ids: number[]): Promise<{ answer: () => Promise<void> }> {
  let remaining = ids
  let waiting: (() => void) | null = null
  fakeApi(async ({ method, path, body }) => {
    if (method === 'GET' && path.startsWith('/bookmarks/trash/')) {
      if (remaining.length < ids.length) {
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
      return [
        200,
        {
          count: remaining.length,
          next: null,
          previous: null,
          results: remaining.map((id) => trashItem(id)),
        },
      ]
    }
    const removedIds = method === 'DELETE' ? remaining : (body as { ids: number[] }).ids
    remaining = remaining.filter((id) => !removedIds.includes(id))
    return path === '/bookmarks/bulk/'
      ? [200, { changed: removedIds.length, unchanged: 0, failed: [], before: [] }]
      : [200, { removed: removedIds.length, remaining: 0 }]
  })
  await renderPage(
    <TrashPage query={{}} linkTo={() => ({ to: '/trash' })} tools={null} emptyFiltered={null} />,
  )
  return {
    async answer() {
      await waitFor(() => expect(waiting).not.toBeNull())
      waiting?.()
      waiting = null
    },
  }
}

const findCheckbox = (name: string) => screen.findByRole('checkbox', { name })
const expectFocus = async (element: HTMLElement) =>
  waitFor(() => expect(document.activeElement).toBe(element))

test('after an item left the trash, the focus moves to the rest, or to the heading if nothing is left', async () => {
  const trash = await renderTrash([1, 2])
  await user.click(await screen.findByRole('button', { name: 'Restore Film 1' }))
  // The item stays until the trash was fetched again.
  await expectFocus(await findCheckbox('Film 1'))
  await trash.answer()
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Film 1' })).toBeNull())
  await expectFocus(await findCheckbox('Film 2'))

  await user.click(screen.getByRole('button', { name: 'Empty trash' }))
  const [, button] = await screen.findAllByRole('button', { name: 'Empty trash' })
  if (button !== undefined) await user.click(button)
  await trash.answer()
  await screen.findByText('The trash is empty')
  await expectFocus(screen.getByRole('heading', { level: 1, name: 'Trash' }))
})

test('a row marks a watched video, and its checkbox says so', async () => {
  fakeApi(() => [
    200,
    {
      count: 2,
      next: null,
      previous: null,
      results: [trashItem(1, { is_watched: true }), trashItem(2, { is_watched: false })],
    },
  ])
  await renderPage(
    <TrashPage query={{}} linkTo={() => ({ to: '/trash' })} tools={null} emptyFiltered={null} />,
  )
  const describedBy = (await findCheckbox('Film 1')).getAttribute('aria-describedby') ?? ''
  expect(describedBy.split(' ').map((id) => document.getElementById(id)?.textContent)).toContain('Watched')
  expect(screen.getAllByText('Watched')).toHaveLength(1)
})
