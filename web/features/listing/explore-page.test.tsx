import type { ListingItem } from '@reelmark/contract/listing.ts'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readLastOrientation } from '../../shared/orientation/orientation-memory.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ExplorePage } from './explore-page.tsx'

const user = userEvent.setup({ delay: null })

/** Reports an observed element as visible. */
let bringIntoView = (_element: Element) => {}
/** The margins of all observers created. The page creates one. */
const observerMargins: (string | undefined)[] = []

beforeAll(() => {
  // React logs once that jsdom does not know the element `search`.
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  render(<search />)
  cleanup()
  consoleError.mockRestore()
})
beforeEach(() => {
  resetBrowser()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void, options?: { rootMargin?: string }) {
        observerMargins.push(options?.rootMargin)
        bringIntoView = (target) => callback([{ target, isIntersecting: true }])
      }
      observe() {}
      unobserve() {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const testItem = (id: number): ListingItem => ({
  id,
  video_id: id,
  title: `Film ${id}`,
  thumbnail_url: `/media/thumbnails/${id}.webp`,
  thumbnail_large_url: null,
  user_username: id === 2 ? '' : 'alice',
  host: 'films.example.org',
  orientation: 'sfw',
  shape: 'landscape',
  duration: null,
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
})
const listingPage = (number: number) => ({
  count: 60,
  next: number < 3 ? `/api/videos/?page=${number + 1}` : null,
  previous: null,
  results: Array.from({ length: number < 3 ? 25 : 10 }, (_, n) => testItem((number - 1) * 25 + n + 1)),
})

function startFakeServer(answer?: FakeAnswer) {
  return fakeApi(({ path }) => {
    const requestedPage = new URLSearchParams(path.split('?')[1]).get('page')
    return answer ?? [200, listingPage(Number(requestedPage ?? 1))]
  })
}

type Explore = Parameters<typeof ExplorePage>[0]
const explore = (search: Explore['search'] = {}, onSearch: Explore['onSearch'] = () => {}) =>
  renderPage(<ExplorePage search={search} onSearch={onSearch} renderTagAction={() => null} />)

test('a page shows its number and links to the previous and next page', async () => {
  startFakeServer()
  await explore({ page: 2 })
  expect((await screen.findAllByText('Page 2 of 3', { exact: false })).length).toBeGreaterThan(0)
  expect(screen.getByText('Page 2 of 3 (60 results)')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Previous' }).getAttribute('href')).toBe('/explore')
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('/explore?page=3')
  expect(screen.getByRole('link', { name: 'Film 26' }).getAttribute('href')).toBe('/bookmarks/26')
})

test('thumbnails load within 100 px of the viewport, those of the first row immediately', async () => {
  startFakeServer()
  await explore()
  await screen.findByRole('link', { name: 'Film 1' })
  const loadedThumbnails = () =>
    [...document.querySelectorAll('.frame > img')].map((image) => image.getAttribute('src'))
  const firstRow = [1, 2, 3, 4, 5, 6].map((id) => `/media/thumbnails/${id}.webp`)
  expect(loadedThumbnails()).toEqual(firstRow)
  expect(observerMargins).toEqual(['100px'])
  act(() => bringIntoView(document.querySelectorAll('.frame')[10] as Element))
  expect(loadedThumbnails()).toEqual([...firstRow, '/media/thumbnails/11.webp'])
})

test('the first 6 thumbnails of the next page are preloaded', async () => {
  const fetched: string[] = []
  vi.stubGlobal(
    'Image',
    class {
      set src(src: string) {
        fetched.push(src)
      }
    },
  )
  startFakeServer()
  await explore()
  await screen.findByRole('link', { name: 'Film 1' })
  await waitFor(() => expect(fetched).toHaveLength(6))
  expect(fetched).toEqual([26, 27, 28, 29, 30, 31].map((id) => `/media/thumbnails/${id}.webp`))
})

test('a page that failed to load shows no cards and a retry button', async () => {
  const requests = startFakeServer([
    500,
    { detail: 'Something went wrong on our side.', code: 'internal-error' },
  ])
  await explore()
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(screen.queryAllByRole('article')).toEqual([])
  await waitFor(() => expect(countRequests(requests, '/videos/')).toBe(2))
})

test('a bookmark of an unknown user shows “Unknown User”', async () => {
  startFakeServer()
  await explore()
  expect(await screen.findByText('Unknown User')).toBeTruthy()
})

test('the last filter is remembered on the device, and the default is all', async () => {
  startFakeServer()
  const searches: unknown[] = []
  const recordSearch = (search: unknown) => {
    searches.push(search)
  }
  await explore({}, recordSearch)
  expect(searches).toEqual([])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Orientation' }), 'bi')
  expect(searches).toEqual([expect.objectContaining({ orientation: 'bi' })])
  expect(readLastOrientation()).toBe('bi')
})
