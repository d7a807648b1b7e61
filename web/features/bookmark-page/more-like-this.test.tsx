import type { ListingItem } from '@reelmark/contract/listing.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { stubIntersectionObserver } from '../../testing/fake-intersection-observer.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import { BookmarkPage } from './bookmark-page.tsx'

const similarItem: ListingItem = {
  id: 21,
  title: 'Another film',
  thumbnail_url: null,
  thumbnail_large_url: null,
  user_username: 'mara',
  video_id: 22,
  orientation: 'sfw',
  shape: 'landscape',
  duration: 60,
  host: 'youtube.com',
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
}

beforeEach(() => {
  resetBrowser()
  // jsdom has no IntersectionObserver.
  stubIntersectionObserver()
  fakeApi(({ path }) =>
    path.startsWith(`/bookmarks/${sampleBookmark.id}/similar/`)
      ? [200, { count: 1, next: null, previous: null, results: [similarItem] }]
      : [200, { count: 0, next: null, previous: null, results: [] }],
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Similar videos precede long discussions, because they would not be found below. */
test.each([
  { comments: 7, order: ['Comments', 'More like this'] },
  { comments: 8, order: ['More like this', 'Comments'] },
])('similar videos are below few comments and before many: $comments', async ({ comments, order }) => {
  const video = { ...sampleBookmark.video, comments_count: comments }
  await renderPage(<BookmarkPage bookmark={{ ...sampleBookmark, video }} from={{}} />)
  // Both are loaded after the page is shown.
  await screen.findByRole('link', { name: 'Another film' })
  await screen.findByRole('heading', { level: 2, name: /^Comments/ })
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent ?? '')
  expect(headings.map((item) => item.replace(/[\d ]+$/, ''))).toEqual(order)
})
