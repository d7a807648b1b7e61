import type { UnlistedItem } from '@reelmark/contract/collection-links.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { UnlistedPage } from './unlisted-page.tsx'

beforeEach(() => {
  stubIntersectionObserver()
  resetBrowser()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const item = (id: number, marks: Partial<UnlistedItem>): UnlistedItem => ({
  id,
  title: `Film ${id}`,
  thumbnail_url: null,
  host: 'films.example.org',
  orientation: 'sfw',
  shape: 'landscape',
  duration: null,
  created_at: '2026-01-01T00:00:00Z',
  ...marks,
})

test('the page of a secret link marks what a signed-in viewer watched', async () => {
  signInAs('bob')
  const requests = fakeApi(() => [
    200,
    {
      name: 'Diary',
      description: '',
      user: { id: 1, username: 'alice', avatar_url: '/media/default.jpg', is_verified: false },
      order: 'newest',
      count: 2,
      next: null,
      previous: null,
      results: [item(1, { is_watched: true }), item(2, { is_watched: false })],
    },
  ])
  await renderPage(<UnlistedPage token="secret" search={{}} />)
  const cards = await screen.findAllByRole('article')
  expect(cards.map(({ textContent }) => textContent?.includes('Watched'))).toEqual([true, false])
  // The token of the session is sent, because the marks depend on it.
  expect(requests[0]?.headers.authorization).toBe('Bearer access-1')
})
