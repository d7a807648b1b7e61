import type { ListingItem, ListingQuery } from '@reelmark/contract/listing.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../testing/fake-intersection-observer.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { foldRuns } from './fold-runs.tsx'
import { PagedListing } from './paged-listing.tsx'

const user = userEvent.setup({ delay: null })

beforeAll(fakeDialogs)
beforeEach(() => {
  resetBrowser()
  stubIntersectionObserver()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const testItem = (id: number, owner = 'alice'): ListingItem => ({
  id,
  video_id: id,
  title: `Film ${id}`,
  thumbnail_url: null,
  thumbnail_large_url: null,
  user_username: owner,
  host: 'films.example.org',
  orientation: 'sfw',
  shape: 'landscape',
  duration: null,
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
})

/** Answers pages of a list of 130; `failing` answers instead of pages from the third on, if it is set. */
function startServer() {
  const server: { failing: FakeAnswer | null } = { failing: null }
  fakeApi(({ path }) => {
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1)
    const first = (page - 1) * 25
    const results = Array.from({ length: Math.min(25, 130 - first) }, (_, index) =>
      testItem(first + index + 1),
    )
    const next = page < 6 ? `/api/videos/?page=${page + 1}` : null
    return (page > 2 && server.failing) || [200, { count: 130, next, previous: null, results }]
  })
  return server
}

const renderList = (query: ListingQuery = {}) =>
  renderPage(
    <PagedListing
      query={{ user: 'alice', ...query }}
      linkTo={(page) => ({ to: '/here', search: { page } }) as never}
      empty={null}
    />,
  )
const cards = () => screen.getAllByRole('article')
const showMore = async () => user.click(await screen.findByRole('button', { name: 'Show more' }))

test('the next pages are added below, up to four, and the focus moves to the first new card', async () => {
  startServer()
  const { path } = await renderList()
  for (const shown of [50, 75, 100]) {
    await showMore()
    await waitFor(() => expect(cards()).toHaveLength(shown))
    await waitFor(() => expect(document.activeElement?.textContent).toBe(`Film ${shown - 24}`))
    expect(screen.getByText(`${shown} of 130 shown`)).toBeTruthy()
  }
  expect(path()).toBe('/here')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  const pager = within(screen.getByRole('navigation', { name: 'Pages' }))
  expect(pager.getByText('Pages 1 to 4 of 6')).toBeTruthy()
  expect(pager.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('/here?page=5')
})

test('a page that cannot be loaded can be tried again, and the cards above stay', async () => {
  const server = startServer()
  server.failing = [500, { detail: 'Something went wrong on our side.', code: 'internal-error' }]
  await renderList()
  await showMore()
  await waitFor(() => expect(cards()).toHaveLength(50))
  await showMore()
  const retry = await screen.findByRole('button', { name: "Couldn't load more. Try again" })
  expect(cards()).toHaveLength(50)
  server.failing = null
  await user.click(retry)
  await waitFor(() => expect(cards()).toHaveLength(75))
})

test('a page that does not exist leads to the first, and filters that are refused can be cleared', async () => {
  fakeApi(() => [404, { code: 'not-found' }])
  await renderList({ page: 9 })
  const first = await screen.findByRole('link', { name: 'Go to the first page' })
  expect(first.getAttribute('href')).toBe('/here?page=1')
  cleanup()
  fakeApi(() => [400, { code: 'invalid' }])
  await renderList({ min_duration: 600, max_duration: 10 })
  expect(await screen.findByRole('link', { name: 'Clear search and filters' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

const run = (owner: string, count: number) => Array.from({ length: count }, () => owner)
const list = (owners: string[]) => owners.map((owner, index) => testItem(index + 1, owner))
const folded = (owners: string[]) => {
  const { items, folds } = foldRuns(list(owners))
  return { shown: items.map(({ id }) => id), folds: [...folds].map(([at, { length }]) => [at, length]) }
}

test('of what one user saved at once, two cards are shown, and one that stands for the others', () => {
  const others = run('', 0).concat(...Array.from({ length: 12 }, (_, index) => `user${index}`))
  const { shown, folds } = folded([...run('lena', 13), ...others])
  expect(shown).toEqual([1, 2, ...Array.from({ length: 12 }, (_, index) => 14 + index)])
  expect(folds).toEqual([[2, 11]])
})

test('folding leaves twelve cards, and folds neither short runs nor a list of one user', () => {
  const { shown, folds } = folded([...run('mira', 3), ...run('lena', 22)])
  expect(shown.length + folds.length).toBe(12)
  expect(folded(run('lena', 25)).folds).toEqual([])
  expect(folded([...run('lena', 5), ...run('mira', 5), ...run('noor', 5)]).folds).toEqual([])
})
