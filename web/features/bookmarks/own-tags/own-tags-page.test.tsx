import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { OwnTagsPage } from './own-tags-page.tsx'

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

test('the heading gets the focus once the dialog has closed after a tag was renamed', async () => {
  const change = { id: 1, tags: ['sea'], replacement: 'ocean', bookmarks_count: 3, finished_count: 3 }
  fakeApi(({ method, path }) => {
    if (method === 'POST') return [201, { ...change, state: 'done', created_at: '2026-01-01T00:00:00Z' }]
    const results = path.includes('changes') ? [] : [{ name: 'sea', bookmarks_count: 3 }]
    return [200, { count: results.length, next: null, previous: null, results }]
  })
  await renderPage(<OwnTagsPage />)
  const heading = screen.getByRole('heading', { name: 'Tags' })
  // A browser does not focus it while a modal dialog is open.
  const openDialogsAtFocus: number[] = []
  heading.addEventListener('focus', () => {
    openDialogsAtFocus.push(document.querySelectorAll('dialog[open]').length)
  })
  // jsdom has no popovers, so the menu is always open.
  const item = await screen.findByRole('menuitem', { name: 'Rename', hidden: true })
  Object.assign(item.parentElement ?? {}, { hidePopover: () => undefined })
  await user.click(item)
  const field = await screen.findByLabelText(/^New name/)
  await user.clear(field)
  await user.type(field, 'ocean{Enter}')
  await waitFor(() => expect(openDialogsAtFocus).toEqual([0]))
  expect(document.activeElement).toBe(heading)
})
