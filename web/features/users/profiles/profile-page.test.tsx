import type { ListingItem } from '@reelmark/contract/listing.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { giveAdultConsent, withdrawAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { readLastOrientation, storeLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { collectionsPage } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { stubIntersectionObserver } from '../../../testing/fake-intersection-observer.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { ProfilePage } from './profile-page.tsx'
import type { ProfileSearch } from './profile-search.ts'
import { profileQuery } from './queries.ts'

const user = userEvent.setup({ delay: null })

beforeAll(() => {
  fakeDialogs()
  // React logs once that jsdom does not know the element `search`.
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  render(<search />)
  cleanup()
  consoleError.mockRestore()
})
beforeEach(() => {
  resetBrowser()
  stubIntersectionObserver()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const testItem = (id: number): ListingItem => ({
  id,
  video_id: id,
  title: `Film ${id}`,
  thumbnail_url: null,
  thumbnail_large_url: null,
  user_username: 'mara',
  host: 'films.example.org',
  orientation: 'sfw',
  shape: 'landscape',
  duration: null,
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
})
const listingPage = (results: unknown[], count = results.length) => ({
  count,
  next: null,
  previous: null,
  results,
})

const testProfileOwner = testProfile('mara', {
  user_id: 12,
  id: 12,
  bookmarks_count: 60,
  likes_count: 1200,
  followers_count: 2,
  following_count: 1,
})

interface TestSetup {
  profile?: Profile
  search?: ProfileSearch
  answer?: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer> | null
}

async function renderProfile({
  profile = testProfileOwner,
  search = {},
  answer = () => null,
}: TestSetup = {}) {
  const onSearch = vi.fn()
  const requests = fakeApi((request) => {
    const fakeReply = answer(request)
    if (fakeReply !== null) return fakeReply
    if (request.path.startsWith('/profile/')) return [200, profile]
    // The page of a collection or channel, of which only the name is shown while it is not loaded.
    if (/^\/(collections|channels)\/\d/.test(request.path)) return 'offline'
    if (request.path.startsWith('/collections/')) return [200, collectionsPage()]
    if (request.path.startsWith('/smart-collections/')) return [200, listingPage([])]
    return [200, listingPage([testItem(1), testItem(2)], 60)]
  })
  const Page = () => {
    const { data = profile } = useQuery({
      ...profileQuery(profile.username),
      initialData: profile,
      staleTime: 60_000,
    })
    return <ProfilePage profile={data} search={search} onSearch={onSearch} />
  }
  const page = await renderPage(<Page />)
  return { page, requests, onSearch }
}

const linkTarget = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

test('a profile shows the user, and its counts link to lists', async () => {
  await renderProfile({ profile: { ...testProfileOwner, is_verified: true, bio: 'I like\nlong walks.' } })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('mara')
  expect(screen.getByRole('img', { name: 'Verified' })).toBeTruthy()
  expect(screen.getByText(/I like/).textContent).toBe('I like\nlong walks.')
  expect(linkTarget('60 Bookmarks')).toBe('/users/mara')
  expect(linkTarget('1,200 Likes')).toBe('/users/mara?tab=liked')
  expect(screen.getByRole('button', { name: '2 Followers' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '1 Following' })).toBeTruthy()
})

test('a profile without bio shows a placeholder and the default avatar', async () => {
  await renderProfile()
  expect(screen.queryByRole('img', { name: 'Verified' })).toBeNull()
  expect(screen.getByText('No description available')).toBeTruthy()
  expect(document.querySelector('header img')?.getAttribute('src')).toBe('/media/default.jpg')
})

test.each(['another user', 'the owner'])(
  'a profile that visitors may not see has no feed for %s',
  async (viewer) => {
    if (viewer === 'the owner') signInAs('mara')
    await renderProfile()
    expect((await screen.findByRole('link', { name: 'Feed' })).getAttribute('href')).toBe(
      '/users/mara/feed.atom',
    )
    cleanup()
    const { page } = await renderProfile({ profile: { ...testProfileOwner, has_feed: false } })
    const tool = viewer === 'the owner' ? { name: 'Tags' } : { name: 'Film 1' }
    await page.findByRole('link', tool)
    expect(screen.queryByRole('link', { name: 'Feed' })).toBeNull()
  },
)

test('pinned items link to their pages, and adult bookmarks are left out until age is confirmed, except for the owner', async () => {
  const image = { url: null, orientation: 'sfw' } as const
  const pins: Profile['pins'] = [
    { kind: 'bookmark', id: 1, title: 'Pinned film', images: [image], is_public: true },
    {
      kind: 'bookmark',
      id: 2,
      title: 'Adult film',
      images: [{ url: '/media/adult.webp', orientation: 'bi' }],
      is_public: true,
    },
    { kind: 'collection', id: 3, title: 'Coast', images: [], is_public: false },
  ]
  const profile = { ...testProfileOwner, pins }
  const pinned = () =>
    within(screen.getByRole('region', { name: 'Pinned' }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')])
  await renderProfile({ profile })
  expect(pinned()).toEqual([
    ['Pinned film', '/bookmarks/1'],
    ['Coast', '/collections/3'],
  ])
  act(giveAdultConsent)
  expect(pinned()).toContainEqual(['Adult film', '/bookmarks/2'])
  act(withdrawAdultConsent)
  cleanup()
  signInAs('mara')
  await renderProfile({ profile })
  expect(pinned()).toHaveLength(3)
  expect(document.querySelector('img[src="/media/adult.webp"]')).toBeNull()
  expect(screen.getByRole('img', { name: 'Private' })).toBeTruthy()
})

test('a pinned bookmark that the viewer watched is marked', async () => {
  const image = { url: null, orientation: 'sfw' } as const
  const pin = { kind: 'bookmark' as const, images: [image], is_public: true }
  const pins: Profile['pins'] = [
    { ...pin, id: 1, title: 'Seen', is_watched: true },
    { ...pin, id: 2, title: 'New', is_watched: false },
  ]
  await renderProfile({ profile: { ...testProfileOwner, pins } })
  const shelf = within(screen.getByRole('region', { name: 'Pinned' }))
  expect(shelf.getAllByRole('article').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Watched'),
    expect.not.stringContaining('Watched'),
  ])
})

test('the links of a bio can be followed, without a recommendation to search engines', async () => {
  await renderProfile({ profile: { ...testProfileOwner, bio: 'See https://a.example/me.' } })
  const link = screen.getByRole('link', { name: 'https://a.example/me' })
  expect(link.getAttribute('rel')).toBe('nofollow ugc noopener')
})

test('the tabs are links, and the open one is marked', async () => {
  const { requests } = await renderProfile({ search: { tab: 'liked', orientation: 'gay' } })
  const tabs = within(screen.getByRole('navigation', { name: "mara's bookmarks" }))
  const tabStates = tabs.getAllByRole('link').map((link) => {
    const address = new URL(link.getAttribute('href') ?? '', 'http://localhost')
    return [link.textContent, Object.fromEntries(address.searchParams), link.getAttribute('aria-current')]
  })
  expect(tabStates).toEqual([
    ['Bookmarks', { orientation: 'gay' }, null],
    ['Liked', { tab: 'liked', orientation: 'gay' }, 'page'],
    ['Collections', { tab: 'collections' }, null],
  ])
  await screen.findByRole('link', { name: 'Film 1' })
  const listingRequest = requests.find(({ path }) => path.startsWith('/videos/'))
  expect(Object.fromEntries(new URLSearchParams(listingRequest?.path.split('?')[1]))).toEqual({
    liked_by: 'mara',
    orientation: 'gay',
  })
})

test('bookmarks are paged, and changing the filter returns to the first page', async () => {
  const { onSearch } = await renderProfile({ search: { page: 2 } })
  expect(await screen.findByText('Page 2 of 3')).toBeTruthy()
  expect(linkTarget('Next')).toBe('/users/mara?page=3')
  expect(linkTarget('Previous')).toBe('/users/mara')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Orientation' }), 'Trans')
  expect(onSearch).toHaveBeenCalledWith({ page: undefined, orientation: 'trans' })
})

test('only the owner may edit the profile, whatever the case of their username', async () => {
  signInAs('alice')
  await renderProfile()
  expect(screen.getByRole('button', { name: /^Follow/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit Profile' })).toBeNull()
  cleanup()
  signInAs('MARA')
  await renderProfile()
  expect(screen.getByRole('button', { name: 'Edit Profile' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull()
})

test('empty tabs explain themselves and offer a next step', async () => {
  const empty = () => [200, listingPage([])] as const
  await renderProfile({ answer: empty })
  expect(await screen.findByText('No bookmarks found')).toBeTruthy()
  cleanup()
  await renderProfile({ answer: empty, search: { tab: 'liked' } })
  expect(await screen.findByText('No liked videos found')).toBeTruthy()
  cleanup()
  await renderProfile({ answer: empty, search: { tab: 'collections' } })
  expect(await screen.findByText('No collections found.')).toBeTruthy()
  cleanup()
  await renderProfile({ answer: empty, search: { orientation: 'gay' } })
  storeLastOrientation('gay')
  const showAll = await screen.findByRole('link', { name: 'Show all orientations' })
  expect(showAll.getAttribute('href')).toBe('/users/mara')
  await user.click(showAll)
  expect(readLastOrientation()).toBeUndefined()
})

test('collections that failed to load can be retried', async () => {
  let fails = true
  const answer = () => (fails ? ([503, { detail: 'Not now.' }] as const) : null)
  await renderProfile({ answer, search: { tab: 'collections' } })
  expect(await screen.findByText('Failed to load collections.')).toBeTruthy()
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'My Vault' })).toBeTruthy()
})

test('a page past the end leads to the first', async () => {
  await renderProfile({
    search: { page: 9 },
    answer: ({ path }) =>
      path.startsWith('/videos/') ? [404, { detail: 'Invalid page.', code: 'invalid-page' }] : null,
  })
  expect((await screen.findByRole('link', { name: 'Go to the first page' })).getAttribute('href')).toBe(
    '/users/mara',
  )
})

test('collections lead to channels and channels to bookmarks, each with a link back', async () => {
  await renderProfile({ search: { tab: 'collections' } })
  const films = await screen.findByRole('link', { name: 'Films' })
  expect(films.getAttribute('href')).toBe('/users/mara?tab=collections&collection=2')
  expect(screen.getByText('0 bookmarks, 2 channels')).toBeTruthy()
  cleanup()

  const inFilms = await renderProfile({ search: { tab: 'collections', collection: 2 } })
  expect((await screen.findByRole('link', { name: 'Shorts' })).getAttribute('href')).toBe(
    '/users/mara?tab=collections&collection=2&channel=21',
  )
  expect(linkTarget('Back to collections')).toBe('/users/mara?tab=collections')
  await screen.findByRole('link', { name: 'Film 1' })
  expect(inFilms.requests.map(({ path }) => path)).toContain('/videos/?collection=2')
  cleanup()

  const inShorts = await renderProfile({ search: { tab: 'collections', collection: 2, channel: 21 } })
  expect(await screen.findByRole('heading', { name: 'Shorts' })).toBeTruthy()
  expect(linkTarget('Back to Films')).toBe('/users/mara?tab=collections&collection=2')
  await screen.findByRole('link', { name: 'Film 1' })
  expect(inShorts.requests.map(({ path }) => path)).toContain('/videos/?channel=21')
})

test('a collection without channels says so, and a missing one leads back', async () => {
  await renderProfile({ search: { tab: 'collections', collection: 3 } })
  expect(await screen.findByText('No channels found in this collection.')).toBeTruthy()
  cleanup()
  await renderProfile({ search: { tab: 'collections', collection: 99 } })
  expect(await screen.findByText('Collection not found')).toBeTruthy()
  expect(linkTarget('Back to collections')).toBe('/users/mara?tab=collections')
})

const testUser = (id: number, username: string) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
  is_followed: false,
  followed_at: '2026-03-03T12:00:00Z',
})

test('followers are listed page by page with a date, and link to their profiles', async () => {
  const pages = [
    { ...listingPage([testUser(1, 'ana')], 2), next: '/api/users/12/followers/?page=2&cursor=abc' },
    listingPage([testUser(2, 'bo')], 2),
  ]
  const { requests, page } = await renderProfile({
    answer: ({ path }) =>
      path.startsWith('/users/12/followers/') ? [200, pages[path.includes('cursor=abc') ? 1 : 0]] : null,
  })
  await user.click(screen.getByRole('button', { name: '2 Followers' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Followers' }))
  const userRow = (await dialog.findByText('ana')).closest('li') as HTMLElement
  expect(userRow.textContent).toMatch(/Followed since .*2026/)
  expect(userRow.querySelector('img')?.getAttribute('src')).toBe('/media/default.jpg')
  expect(userRow.closest('.max-h-96')).not.toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Load more' }))
  expect(await dialog.findByText('bo')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Load more' })).toBeNull()
  // The button disappeared, so the focus moves to the first user it loaded.
  await waitFor(() =>
    expect(document.activeElement).toBe(dialog.getByRole('link', { name: 'View Profile of bo' })),
  )
  expect(requests.map((request) => request.path)).toContain('/users/12/followers/?page=2&cursor=abc')
  await user.click(dialog.getByRole('link', { name: 'View Profile of bo' }))
  await waitFor(() => expect(page.path()).toBe('/users/bo'))
})

test('users in the list can be followed except the viewer, and a failure is undone with an error', async () => {
  signInAs('alice')
  const entries = [testUser(1, 'ana'), testUser(7, 'alice'), { ...testUser(3, 'cy'), is_followed: true }]
  const { requests } = await renderProfile({
    answer: ({ method, path }) => {
      if (path.startsWith('/users/12/followers/')) return [200, listingPage(entries, 3)]
      if (method !== 'POST') return null
      return path === '/users/1/follow/' ? [200, { is_followed: true, followers_count: 1 }] : [500, {}]
    },
  })
  await user.click(screen.getByRole('button', { name: '2 Followers' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Followers' }))
  await user.click(await dialog.findByRole('button', { name: 'Follow ana' }))
  expect(await dialog.findByRole('button', { name: 'Unfollow ana' })).toBeTruthy()
  expect(dialog.queryByRole('button', { name: /ollow alice/ })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Unfollow cy' }))
  expect((await dialog.findByRole('alert')).textContent).toContain("Couldn't unfollow cy. Try again.")
  expect(await dialog.findByRole('button', { name: 'Unfollow cy' })).toBeTruthy()
  const postedPaths = requests.filter(({ method }) => method === 'POST').map(({ path }) => path)
  expect(postedPaths).toEqual(['/users/1/follow/', '/users/3/unfollow/'])
})

test.each([
  ['1 Following', 'Following', 'No following found.', 'Failed to load following'],
  ['2 Followers', 'Followers', 'No followers found.', 'Failed to load followers'],
])('the list of %s says if it is empty or failed to load', async (button, title, emptyText, errorText) => {
  let fails = true
  await renderProfile({
    answer: ({ path }) =>
      path.startsWith('/users/12/') ? (fails ? 'offline' : [200, listingPage([])]) : null,
  })
  await user.click(screen.getByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  expect((await dialog.findByRole('alert')).textContent).toContain(errorText)
  fails = false
  await user.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText(emptyText)).toBeTruthy()
})

test('followed users are listed with a date', async () => {
  await renderProfile({
    answer: ({ path }) =>
      path.startsWith('/users/12/following/') ? [200, listingPage([testUser(1, 'ana')])] : null,
  })
  await user.click(screen.getByRole('button', { name: '1 Following' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Following' }))
  const since = await dialog.findByText(/^Following since/)
  expect(since.textContent).toMatch(/^Following since .*2026$/)
})

test('a count of one is followed by the singular', async () => {
  const one = { bookmarks_count: 1, likes_count: 1, followers_count: 1, following_count: 1 }
  await renderProfile({ profile: { ...testProfileOwner, ...one } })
  expect(linkTarget('1 Bookmark')).toBe('/users/mara')
  expect(linkTarget('1 Like')).toBe('/users/mara?tab=liked')
  expect(screen.getByRole('button', { name: '1 Follower' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '1 Following' })).toBeTruthy()
})

test('following changes the follower count', async () => {
  signInAs('alice')
  const { requests } = await renderProfile({
    profile: { ...testProfileOwner, followers_count: 0 },
    answer: ({ method, path }) => {
      if (method !== 'POST') return null
      const is_followed = path.endsWith('/follow/')
      return [200, { is_followed, followers_count: is_followed ? 1 : 0 }]
    },
  })
  await user.click(screen.getByRole('button', { name: /^Follow/ }))
  expect(await screen.findByRole('button', { name: '1 Follower' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Unfollow/ }))
  expect(await screen.findByRole('button', { name: '0 Followers' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Follow/ })).toBeTruthy()
  expect(requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/users/12/follow/',
    '/users/12/unfollow/',
  ])
})

test('a failed follow shows an error, and visitors are redirected to login', async () => {
  signInAs('alice')
  await renderProfile({ answer: ({ method }) => (method === 'POST' ? [500, null] : null) })
  render(<Toaster />)
  await user.click(screen.getByRole('button', { name: /^Follow/ }))
  expect(await screen.findByText("Couldn't follow mara. Try again.")).toBeTruthy()
  expect(screen.getByRole('button', { name: '2 Followers' })).toBeTruthy()
  cleanup()
  resetBrowser()
  const { page } = await renderProfile()
  await user.click(screen.getByRole('button', { name: /^Follow/ }))
  await waitFor(() => expect(page.path()).toMatch(/^\/login\?redirect=/))
})
