import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { SavedCard } from './saved-card.tsx'
import { showSaved } from './saved-store.ts'

beforeEach(() => {
  fakeDialogs()
  resetBrowser()
  signInAs('alice')
  fakeApi(() => [404, {}])
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the card disappears with the session of the user who saved', async () => {
  await renderPage(<SavedCard />)
  act(() => showSaved(sampleBookmark))
  expect(screen.getByRole('region', { name: 'Saved bookmark' }).textContent).toContain('Sintel')
  act(() => signInAs('bob'))
  expect(screen.queryByRole('region', { name: 'Saved bookmark' })).toBeNull()
})
