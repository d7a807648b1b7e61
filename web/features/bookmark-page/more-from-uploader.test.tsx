import type { ListingItem } from '@reelmark/contract/listing.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeRequest, fakeApi } from '../../testing/fake-api.ts'
import { stubIntersectionObserver } from '../../testing/fake-intersection-observer.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import { MoreFromUploader } from './more-from-uploader.tsx'

const item = (id: number, title: string): ListingItem => ({
  id,
  title,
  thumbnail_url: null,
  thumbnail_large_url: null,
  user_username: 'mara',
  video_id: id,
  orientation: 'sfw',
  shape: 'landscape',
  duration: 60,
  host: 'youtube.com',
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
})
const video = { ...sampleBookmark.video, uploader_name: 'Blender Studio' }

let requests: FakeRequest[]
let showAll: () => void
beforeEach(() => {
  resetBrowser()
  showAll = stubIntersectionObserver()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function render(results: ListingItem[]) {
  requests = fakeApi(() => [200, { count: results.length, next: null, previous: null, results }])
  await renderPage(<MoreFromUploader video={video} />)
}

test('other videos of the uploader at the same host are requested and listed once the section is near', async () => {
  await render([item(video.id, 'The same video'), item(21, 'Spring')])
  expect(requests).toEqual([])
  act(showAll)
  expect(await screen.findByRole('heading', { name: 'More from this channel' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Spring' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'The same video' })).toBeNull()
  expect(requests.map(({ path }) => path)).toEqual([
    '/videos/?q=channel%3A%22Blender+Studio%22&host=youtube.com&orientation=sfw&page_size=9',
  ])
  expect(screen.getByRole('link', { name: 'All from Blender Studio' }).getAttribute('href')).toBe(
    '/explore?q=channel%3A%22Blender+Studio%22&host=youtube.com&orientation=sfw',
  )
})

test('without other videos nothing is shown', async () => {
  await render([item(video.id, 'The same video')])
  act(showAll)
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  expect(screen.queryByRole('heading')).toBeNull()
})
