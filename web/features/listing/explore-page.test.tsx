import type { ListingItem } from '@reelmark/contract/listing.ts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readLastOrientation, storeLastOrientation } from '../../shared/orientation/orientation-memory.ts'
import { countRequests, type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ExplorePage } from './explore-page.tsx'

const user = userEvent.setup({ delay: null })

/** Reports an observed element as visible. */
let bringIntoView = (_element: Element) => {}
/** The margins of all observers created. The page creates one. */
const observerMargins: (string | undefined)[] = []

beforeAll(fakeDialogs)
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
  renderPage(
    <ExplorePage
      search={search}
      onSearch={onSearch}
      renderTagActions={() => null}
      renderSaveSearch={() => null}
    />,
  )

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

test('filters that the server refuses can be cleared, and are not tried again', async () => {
  startFakeServer([400, { code: 'invalid', max_duration: ['Must be at least min_duration.'] }])
  await explore()
  const clear = await screen.findByRole('link', { name: 'Clear search and filters' })
  expect(clear.getAttribute('href')).toBe('/here')
  expect(screen.queryByText(/temporary/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
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

test('cards mark the videos that the viewer watched', async () => {
  const results = [
    { ...testItem(1), is_watched: true },
    { ...testItem(3), is_watched: false },
  ]
  startFakeServer([200, { count: 2, next: null, previous: null, results }])
  await explore()
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => card.textContent?.includes('Watched'))).toEqual([true, false])
})

test('"Show all bookmarks" also forgets the orientation that this device remembers', async () => {
  startFakeServer([200, { count: 0, next: null, previous: null, results: [] }])
  storeLastOrientation('gay')
  await explore({ orientation: 'gay' })
  await user.click(await screen.findByRole('link', { name: 'Show all bookmarks' }))
  expect(readLastOrientation()).toBeUndefined()
  cleanup()
  storeLastOrientation('sfw')
  await explore({ orientation: 'sfw', q: 'cats' })
  const searchAll = await screen.findByRole('link', { name: 'Search all orientations' })
  expect(searchAll.getAttribute('href')).toBe('/explore?q=cats')
  await user.click(searchAll)
  expect(readLastOrientation()).toBeUndefined()
})

test('the order is chosen from a menu and stored in the address', async () => {
  startFakeServer()
  const searches: unknown[] = []
  await explore({ q: 'cats', page: 3 }, (search) => searches.push(search))
  const order = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Order' })
  // The default order of a search.
  expect(order.selectedOptions[0]?.text).toBe('Best match')
  await user.selectOptions(order, 'Most liked')
  await user.selectOptions(order, 'Newest first')
  expect(searches).toEqual([
    expect.objectContaining({ q: 'cats', sort: 'most_liked', page: undefined }),
    expect.objectContaining({ q: 'cats', sort: 'newest', page: undefined }),
  ])
  cleanup()
  await explore({ sort: 'title' })
  const listing = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Order' })
  expect(listing.value).toBe('title')
  expect([...listing.options].map(({ text }) => text)).not.toContain('Best match')
  expect(screen.getByRole('link', { name: 'All' }).getAttribute('aria-current')).toBe('page')
})

test('filters are set in a dialog, shown below the order, and each can be removed', async () => {
  startFakeServer()
  const searches: unknown[] = []
  await explore({ host: 'vimeo.com', min_duration: 90 }, (search) => searches.push(search))
  const chip = await screen.findByRole('link', { name: /^Site: vimeo.com/ })
  expect(chip.getAttribute('href')).toBe('/explore?min_duration=90')
  expect(screen.getByRole('link', { name: /^At least 1:30/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Filters (2)' }))
  const longest = screen.getByRole('textbox', { name: 'Longest, in minutes' })
  await user.type(longest, '1')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(screen.getByText('Must be at least the shortest duration.')).toBeTruthy()
  await user.clear(longest)
  await user.type(longest, 'ten')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(screen.getByText('Enter minutes, up to 2400 hours.')).toBeTruthy()
  expect(searches).toEqual([])
  await user.clear(longest)
  await user.type(longest, '10')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(searches).toEqual([
    expect.objectContaining({
      host: 'vimeo.com',
      min_duration: 90,
      max_duration: 600,
      saved_after: undefined,
    }),
  ])
})

test('a corrected search names the words it shows, marks them, and links to the search as it was entered', async () => {
  const found = { ...listingPage(3), count: 10, results: [{ ...testItem(1), title: 'Deep space' }] }
  startFakeServer([200, { ...found, corrected: [{ word: 'spce', replacements: ['space', 'spice'] }] }])
  await explore({ q: 'deep spce' })
  const link = await screen.findByRole('link', { name: 'Search instead for deep spce' })
  expect(link.getAttribute('href')).toBe('/explore?q=deep+spce&literal=true')
  expect(link.parentElement?.textContent).toContain('Showing results for space, spice.')
  await waitFor(() =>
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
      'Deep',
      'space',
    ]),
  )
})

test('signed-in users filter by what they have watched', async () => {
  signInAs('ana')
  startFakeServer()
  const searches: unknown[] = []
  await explore({ watched: true }, (search) => searches.push(search))
  const chip = await screen.findByRole('link', { name: /^Watched/ })
  expect(chip.getAttribute('href')).toBe('/explore')
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  const watched = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Watched' })
  expect(watched.value).toBe('true')
  await user.selectOptions(watched, 'Not watched')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(searches).toEqual([expect.objectContaining({ watched: false })])
})

test('visitors get no filter for watched videos, and applying the others keeps it in the address', async () => {
  startFakeServer()
  const searches: unknown[] = []
  await explore({ watched: false }, (search) => searches.push(search))
  await user.click(await screen.findByRole('button', { name: 'Filters (1)' }))
  expect(screen.queryByRole('combobox', { name: 'Watched' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(searches).toEqual([expect.objectContaining({ watched: false })])
})

test('a search links to its results among collections, people and tags', async () => {
  startFakeServer()
  await explore({ q: 'cats' })
  const results = screen.getByRole('navigation', { name: 'Results' })
  expect([...results.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/explore?q=cats',
    '/explore/collections?q=cats',
    '/explore/people?q=cats',
    '/explore/tags?q=cats',
  ])
  cleanup()
  await explore()
  expect(screen.queryByRole('navigation', { name: 'Results' })).toBeNull()
})

test('a link is not searched for but offered to be saved', async () => {
  const requests = startFakeServer()
  await explore({ q: 'https://youtu.be/aqz-KE-bpKQ' })
  const save = await screen.findByRole('link', { name: 'Save this video' })
  expect(save.getAttribute('href')).toMatch(/^\/bookmarks\/create\?.*youtu\.be/)
  expect(countRequests(requests, '/videos/')).toBe(0)
})
