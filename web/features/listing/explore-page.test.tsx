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

/** Tells that each watched element is near. */
let bringIntoView = (_element: Element) => {}
/** One observer watches for all, as long as the page lives. */
const observerMargins: (string | undefined)[] = []

beforeAll(() => {
  // jsdom does not know the element, which React says once.
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  render(<search />)
  cleanup()
  said.mockRestore()
})
beforeEach(() => {
  resetBrowser()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: object[]) => void, options?: { rootMargin?: string }) {
        observerMargins.push(options?.rootMargin)
        bringIntoView = (target) => tell([{ target, isIntersecting: true }])
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
    const sentRequests = new URLSearchParams(path.split('?')[1]).get('page')
    return answer ?? [200, listingPage(Number(sentRequests ?? 1))]
  })
}

type Explore = Parameters<typeof ExplorePage>[0]
const explore = (search: Explore['search'] = {}, onSearch: Explore['onSearch'] = () => {}) =>
  renderPage(<ExplorePage search={search} onSearch={onSearch} renderTagAction={() => null} />)

test('a page of cards says which page it is, and leads on and back', async () => {
  startFakeServer()
  await explore({ page: 2 })
  expect((await screen.findAllByText('Page 2 of 3', { exact: false })).length).toBeGreaterThan(0)
  expect(screen.getByText('Page 2 of 3 (60 results)')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Previous' }).getAttribute('href')).toBe('/explore')
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('/explore?page=3')
  expect(screen.getByRole('link', { name: 'Film 26' }).getAttribute('href')).toBe('/bookmarks/26')
})

test('a picture is loaded once it is within 100 px of view, those of the first row at once', async () => {
  startFakeServer()
  await explore()
  await screen.findByRole('link', { name: 'Film 1' })
  const shown = () => [...document.querySelectorAll('.frame > img')].map((image) => image.getAttribute('src'))
  const firstRow = [1, 2, 3, 4, 5, 6].map((id) => `/media/thumbnails/${id}.webp`)
  expect(shown()).toEqual(firstRow)
  expect(observerMargins).toEqual(['100px'])
  act(() => bringIntoView(document.querySelectorAll('.frame')[10] as Element))
  expect(shown()).toEqual([...firstRow, '/media/thumbnails/11.webp'])
})

test('of the next page the first 6 pictures are fetched ahead', async () => {
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

test('a page that cannot be loaded is an empty grid, with a way on', async () => {
  const requests = startFakeServer([
    500,
    { detail: 'Something went wrong on our side.', code: 'internal-error' },
  ])
  await explore()
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(screen.queryAllByRole('article')).toEqual([])
  await waitFor(() => expect(countRequests(requests, '/videos/')).toBe(2))
})

test('somebody unknown is called so', async () => {
  startFakeServer()
  await explore()
  expect(await screen.findByText('Unknown User')).toBeTruthy()
})

test('the filter chosen last is remembered on the device, and is all at first', async () => {
  startFakeServer()
  const went: unknown[] = []
  const keep = (search: unknown) => {
    went.push(search)
  }
  await explore({}, keep)
  expect(went).toEqual([])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Orientation' }), 'bi')
  expect(went).toEqual([expect.objectContaining({ orientation: 'bi' })])
  expect(readLastOrientation()).toBe('bi')
})
