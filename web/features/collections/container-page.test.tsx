import type { CollectionPage } from '@reelmark/contract/collections.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { collectionsPage } from '../../testing/collection-responses.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { expectSearchElement } from '../../testing/search-element.tsx'
import type { ListSearch } from '../listing/public-api.ts'
import { containerFromCollection } from './container.ts'
import { ContainerPage } from './container-page.tsx'

const user = userEvent.setup({ delay: null })

expectSearchElement()
// Loaded before, because loading takes long while other tests run.
beforeAll(() =>
  Promise.all([
    import('../listing/search/list-tools.tsx'),
    import('./own-container-tools.tsx'),
    import('./smart/save-search-dialog.tsx'),
  ]),
)
beforeEach(() => {
  fakeDialogs()
  stubIntersectionObserver()
  resetBrowser()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const film: ListingItem = {
  id: 41,
  video_id: 141,
  title: 'Waves',
  thumbnail_url: null,
  thumbnail_large_url: null,
  user_username: 'Ana',
  host: 'films.example',
  orientation: 'sfw',
  shape: 'landscape',
  duration: 60,
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
}

const films: CollectionPage = {
  id: 5,
  name: 'Films',
  description: '',
  access: 'public',
  display_image_url: null,
  display_image_orientation: null,
  cover_images: [],
  cover_bookmark_id: null,
  share_image_url: null,
  bookmarks_count: 2,
  channels: [],
  user: { id: 7, username: 'Ana', avatar_url: '/media/default.jpg', is_verified: false },
  is_owner: true,
  is_followed: false,
  followers_count: 0,
  total_duration: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  list_order: 'manual',
}

async function render(search: ListSearch, collection: Partial<CollectionPage> = {}) {
  if (collection.is_owner !== false) signInAs('Ana')
  const requests = fakeApi(({ path, method }) => {
    if (method === 'POST') return [201, { id: 9, name: 'Sea' }]
    if (path.startsWith('/videos/')) return [200, { count: 1, next: null, previous: null, results: [film] }]
    return [200, collectionsPage([])]
  })
  const container = containerFromCollection({ ...films, ...collection })
  await renderPage(<ContainerPage container={container} search={search} />)
  return requests
}

/** Saves the list on screen and returns the query that was sent. */
async function savedQuery(search: ListSearch, collection: Partial<CollectionPage> = {}) {
  const requests = await render(search, collection)
  await user.click(await screen.findByRole('button', { name: 'Save search' }))
  await user.type(await screen.findByLabelText(/^Name/), 'Sea')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true))
  const { body } = requests.find(({ method }) => method === 'POST') ?? {}
  return (body as { query: object }).query
}

test('the owner saves what their collection shows as a smart collection, in its order and without the page', async () => {
  expect(await savedQuery({ tag: 'sea', page: 2 }, { list_order: 'oldest' })).toEqual({
    scope: 'own',
    collection: 5,
    tag: 'sea',
    sort: 'oldest',
  })
  cleanup()
  expect(await savedQuery({ sort: 'title' })).toEqual({ scope: 'own', collection: 5, sort: 'title' })
  cleanup()
  // A smart collection has no manual order.
  expect(await savedQuery({})).toEqual({ scope: 'own', collection: 5, sort: 'newest' })
})

test('others cannot save a list of a collection', async () => {
  signInAs('bob')
  await render({ tag: 'sea' }, { is_owner: false })
  expect(await screen.findByLabelText('Search this collection')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save search' })).toBeNull()
})

test('Play all plays the list on screen: its filters and order, and not its page', async () => {
  const playAll = async () => (await screen.findByRole('link', { name: 'Play all' })).getAttribute('href')
  await render({ tag: 'sea', sort: 'oldest', page: 2 })
  const url = new URL((await playAll()) ?? '', 'http://x')
  expect(url.pathname).toBe('/bookmarks/41')
  expect(Object.fromEntries(new URLSearchParams(url.searchParams.get('list') ?? ''))).toEqual({
    collection: '5',
    user: 'ana',
    tag: 'sea',
    sort: 'oldest',
  })
  cleanup()
  await render({ page: 2 })
  expect(await playAll()).toBe('/bookmarks/41?collection=5')
})
