import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import { Toaster } from '../../ui/toaster.tsx'
import { bookmarkQuery } from '../bookmarks/queries.ts'
import { BookmarkSummary } from './bookmark-summary.tsx'

const user = userEvent.setup({ delay: null })

// Loaded in advance, because lazy imports are slow on a busy machine.
beforeAll(() => import('./bookmark-dialogs.tsx'))
beforeEach(() => {
  fakeDialogs()
  // jsdom does not implement popovers.
  HTMLElement.prototype.hidePopover = () => {}
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function TestPage() {
  const { data } = useQuery(bookmarkQuery(7))
  return (
    <>
      {data !== undefined && <BookmarkSummary bookmark={data} />}
      <Toaster />
    </>
  )
}

type Answers = Record<string, (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>>

async function renderActions(answers: Answers = {}, bookmark: Bookmark = sampleBookmark) {
  const requests = fakeApi((request) => {
    const path = request.path.split('?')[0]
    if (path === '/bookmarks/7/') return [200, bookmark]
    return (
      answers[`${request.method} ${path}`]?.(request) ?? [404, { detail: 'Not found.', code: 'not-found' }]
    )
  })
  const page = await renderPage(<TestPage />, { path: '/bookmarks/7' })
  await screen.findByRole('heading', { name: 'Sintel' })
  const requestsTo = (path: string) => requests.filter((request) => request.path.split('?')[0] === path)
  return { page, requestsTo }
}

const button = (name: string) => screen.getByRole('button', { name })

const shownActions = () =>
  ['Collect', 'Collectors', 'Report', 'Share'].filter((name) => screen.queryByRole('button', { name }))
const privateBookmark: Bookmark = { ...sampleBookmark, is_owner: true, access: 'private', is_public: false }
const openMenu = async () => user.click(await screen.findByRole('button', { name: 'More actions' }))
const publicPage = () => screen.queryByRole('menuitem', { name: 'Public page of this video', hidden: true })

test('the owner of a private bookmark has no buttons to report it or to list its collectors', async () => {
  const video = { ...sampleBookmark.video, saves_count: 0 }
  const { requestsTo } = await renderActions({}, { ...privateBookmark, video })
  await openMenu()
  expect(shownActions()).toEqual(['Collect', 'Share'])
  expect(screen.queryByRole('menuitem', { name: /Report|Collectors/, hidden: true })).toBeNull()
  expect(publicPage()).toBeNull()
  expect(requestsTo('/bookmarks/saved/')).toEqual([])
  expect(screen.queryByRole('link', { name: /comment/ })).toBeNull()
  cleanup()
  await renderActions({}, { ...sampleBookmark, is_owner: true })
  expect(shownActions()).toEqual(['Collect', 'Collectors', 'Report', 'Share'])
  expect(screen.getByRole('link', { name: '0 comments' })).toBeTruthy()
})

test.for([
  ['of another user', { bookmarks: [], others: { saves_count: 2, bookmark_id: 5 } }, 5],
  ['of the owner', { bookmarks: [{ id: 7 }, { id: 8, is_public: true }], others: null }, 8],
] as const)('a private bookmark links to the public page of its video: %s', async ([, saves, id]) => {
  const { page } = await renderActions({ 'GET /bookmarks/saved/': () => [200, saves] }, privateBookmark)
  expect(shownActions()).toEqual(['Collect', 'Share'])
  await openMenu()
  await waitFor(() => expect(publicPage()).not.toBeNull())
  await user.click(publicPage() as HTMLElement)
  await waitFor(() => expect(page.path()).toBe(`/bookmarks/${id}`))
})

test('a private bookmark has no link to public bookmarks that its owner may not see', async () => {
  const saves = { bookmarks: [{ id: 7, is_public: false }], others: null }
  const { requestsTo } = await renderActions({ 'GET /bookmarks/saved/': () => [200, saves] }, privateBookmark)
  await openMenu()
  await waitFor(() => expect(requestsTo('/bookmarks/saved/')).toHaveLength(1))
  expect(publicPage()).toBeNull()
})

test('a like shows immediately, and the server’s count appears wherever the video is shown', async () => {
  let reply = (_: FakeAnswer) => {}
  const { page, requestsTo } = await renderActions({
    'POST /videos/9/like/': () => new Promise((resolve) => (reply = resolve)),
  })
  const list = ['videos', { sort: 'all' }]
  page.client.setQueryData(list, {
    results: [
      { id: 8, video_id: 9, likes_count: 3 },
      { id: 5, video_id: 4, likes_count: 1 },
    ],
  })
  await user.click(button('Like'))
  expect(button('Liked')).toBeTruthy()
  expect(screen.getByText('4 likes')).toBeTruthy()
  reply([200, { is_liked: true, likes_count: 12 }])
  expect(await screen.findByText('12 likes')).toBeTruthy()
  expect(button('Liked')).toBeTruthy()
  expect(page.client.getQueryData(bookmarkQuery(7).queryKey)).toMatchObject({
    is_liked: true,
    video: { likes_count: 12 },
  })
  expect(page.client.getQueryData(list)).toMatchObject({
    results: [{ likes_count: 12 }, { likes_count: 1 }],
  })
  expect(requestsTo('/videos/9/like/')).toHaveLength(1)
})

test('a failed like is undone and shows an error', async () => {
  await renderActions({ 'POST /videos/9/like/': () => 'offline' })
  await user.click(button('Like'))
  expect(await screen.findByText("Couldn't update your like. Try again.")).toBeTruthy()
  await waitFor(() => expect(button('Like')).toBeTruthy())
  expect(screen.getByText('3 likes')).toBeTruthy()
})

test('a like of a video that is only saved privately is undone, with the reason', async () => {
  const refused = { detail: "You don't have permission to do this.", code: 'forbidden' }
  await renderActions({ 'POST /videos/9/like/': () => [403, refused] })
  await user.click(button('Like'))
  expect(await screen.findByText('Only public videos can be liked.')).toBeTruthy()
  await waitFor(() => expect(button('Like')).toBeTruthy())
})

test('a visitor who likes is redirected to login and back, and can like then', async () => {
  resetBrowser()
  const first = await renderActions({
    'POST /videos/9/like/': () => [200, { is_liked: true, likes_count: 4 }],
  })
  await user.click(button('Like'))
  await waitFor(() => expect(first.page.path()).toBe('/login?redirect=%2Fbookmarks%2F7'))
  expect(first.requestsTo('/videos/9/like/')).toEqual([])
  first.page.unmount()
  signInAs('alice')
  const { requestsTo } = await renderActions({
    'POST /videos/9/like/': () => [200, { is_liked: true, likes_count: 4 }],
  })
  expect(screen.getByText('3 likes')).toBeTruthy()
  await user.click(button('Like'))
  expect(await screen.findByText('4 likes')).toBeTruthy()
  expect(requestsTo('/videos/9/like/')).toHaveLength(1)
})

test('a video that was already liked elsewhere stays liked', async () => {
  const replies = [
    { is_liked: false, likes_count: 2 },
    { is_liked: true, likes_count: 3 },
  ]
  const { requestsTo } = await renderActions({ 'POST /videos/9/like/': () => [200, replies.shift()] })
  await user.click(button('Like'))
  await waitFor(() => expect(requestsTo('/videos/9/like/')).toHaveLength(2))
  await waitFor(() => expect(button('Liked')).toBeTruthy())
})

test('the key l likes the video, except while typing', async () => {
  const { requestsTo } = await renderActions({
    'POST /videos/9/like/': () => [200, { is_liked: true, likes_count: 4 }],
  })
  const field = document.createElement('input')
  document.body.append(field)
  field.focus()
  await user.keyboard('l')
  field.remove()
  expect(requestsTo('/videos/9/like/')).toEqual([])
  await user.keyboard('l')
  expect(await screen.findByText('4 likes')).toBeTruthy()
})

test('the bookmark is fetched at most once in 5 minutes', async () => {
  const { page, requestsTo } = await renderActions()
  expect(requestsTo('/bookmarks/7/')).toHaveLength(1)
  const state = page.client.getQueryCache().find(bookmarkQuery(7))
  expect(state?.isStaleByTime(5 * 60_000)).toBe(false)
  page.client.setQueryData(bookmarkQuery(7).queryKey, sampleBookmark, { updatedAt: Date.now() - 300_001 })
  expect(state?.isStaleByTime(bookmarkQuery(7).staleTime as number)).toBe(true)
})

const testOwner = (id: number, username: string) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
  is_followed: false,
})

test('collectors are listed page by page with follow buttons, except the viewer', async () => {
  const { requestsTo } = await renderActions({
    'GET /videos/9/users-bookmarked/': ({ path }) => [
      200,
      path.includes('page=2')
        ? { count: 3, next: null, previous: null, results: [testOwner(14, 'olga')] }
        : {
            count: 3,
            next: '/api/videos/9/users-bookmarked/?page=2&cursor=abc',
            previous: null,
            results: [testOwner(12, 'mara'), testOwner(7, 'alice')],
          },
    ],
    'POST /users/12/follow/': () => [200, { is_followed: true, followers_count: 1 }],
    'POST /users/14/follow/': () => [503, {}],
  })
  await user.click(button('Collectors'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Users Who Bookmarked This Video' }))
  await user.click(await dialog.findByRole('button', { name: 'Follow mara' }))
  expect(dialog.getByRole('button', { name: 'Unfollow mara' })).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Follow alice' })).toBeNull()
  expect(dialog.getByRole('link', { name: 'alice' }).getAttribute('href')).toBe('/users/alice')
  await user.click(dialog.getByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(dialog.getByRole('link', { name: 'olga' })).toBe(document.activeElement))
  expect(requestsTo('/videos/9/users-bookmarked/').at(-1)?.path).toContain('page=2&cursor=abc')
  await user.click(dialog.getByRole('button', { name: 'Follow olga' }))
  expect((await dialog.findByRole('alert')).textContent).toBe("Couldn't follow olga. Try again.")
  expect(dialog.getByRole('button', { name: 'Follow olga' })).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Unfollow mara' })).toBeTruthy()
})

test('a failed list of collectors can be retried', async () => {
  let answers = 0
  await renderActions({
    'GET /videos/9/users-bookmarked/': () =>
      ++answers === 1
        ? [500, { detail: 'Something went wrong on our side.', code: 'internal-error' }]
        : [200, { count: 0, next: null, previous: null, results: [] }],
  })
  await user.click(button('Collectors'))
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load users.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No one has bookmarked this publicly yet.')).toBeTruthy()
})

test('visitors who open the collectors are redirected to login', async () => {
  resetBrowser()
  const { page } = await renderActions()
  await user.click(button('Collectors'))
  await waitFor(() => expect(page.path()).toBe('/login?redirect=%2Fbookmarks%2F7'))
})

test('sharing copies the link or opens the system’s share sheet', async () => {
  await renderActions()
  await user.click(button('Share'))
  expect(await screen.findByText('Link copied.')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/bookmarks/7`)
  const sharedData: unknown[] = []
  Object.assign(navigator, { share: async (data: unknown) => void sharedData.push(data) })
  await act(() => user.click(button('Share')))
  expect(sharedData).toEqual([{ title: 'Sintel', url: `${window.location.origin}/bookmarks/7` }])
  Reflect.deleteProperty(navigator, 'share')
})
