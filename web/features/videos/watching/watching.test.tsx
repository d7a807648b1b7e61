import type { ListingPage } from '@reelmark/contract/listing.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { Toaster } from '../../../ui/toaster.tsx'
import { bookmarkQuery } from '../../bookmarks/queries.ts'
import { useWatchLater } from './use-watch-later.ts'
import { WatchLaterAction } from './watch-later-action.tsx'
import { WatchedFact } from './watched-fact.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Page() {
  const { data } = useQuery(bookmarkQuery(7))
  return (
    <>
      {data !== undefined && (
        <>
          <WatchLaterAction bookmark={data} />
          <WatchedFact bookmark={data} />
        </>
      )}
      <Toaster />
    </>
  )
}

/** Renders the actions on a simulated server that remembers their state. */
async function renderActions(answer?: (request: { method: string; path: string }) => FakeAnswer | null) {
  const state = { is_in_watch_later: false, is_watched: false }
  const requests = fakeApi((request) => {
    const { method, path } = request
    if (path === '/bookmarks/7/') return [200, { ...sampleBookmark, ...state }]
    const fakeReply = answer?.(request) ?? null
    if (fakeReply !== null) return fakeReply
    if (path === '/videos/9/watch-later/') {
      state.is_in_watch_later = !state.is_in_watch_later
      const { is_in_watch_later } = state
      return [200, { is_in_watch_later, collection_id: 3, bookmark_id: is_in_watch_later ? 4 : null }]
    }
    if (path === '/videos/9/watched/') {
      state.is_watched = method === 'POST'
      return [200, { is_watched: state.is_watched }]
    }
    return [404, { detail: 'Not found.', code: 'not-found' }]
  })
  const page = await renderPage(<Page />, { path: '/bookmarks/7' })
  await screen.findByRole('button', { name: 'Watch later' })
  const requestsTo = (path: string) => requests.filter((request) => request.path === path)
  return { page, requestsTo }
}

const button = (name: string) => screen.getByRole('button', { name })

test('one click adds a video to Watch Later immediately, and another removes it', async () => {
  const { page, requestsTo } = await renderActions()
  page.client.setQueryData(['videos', { user: 'alice' }], { results: [] })
  page.client.setQueryData(['videos', { sort: 'random' }], { results: [] })
  await user.click(button('Watch later'))
  expect(button('In Watch Later')).toBeTruthy()
  // The bookmark and the user's own lists are fetched again, because their counts changed. Other lists are not.
  await waitFor(() => expect(requestsTo('/bookmarks/7/')).toHaveLength(2))
  const isStale = (query: object) => page.client.getQueryState(['videos', query])?.isInvalidated
  expect(isStale({ user: 'alice' })).toBe(true)
  expect(isStale({ sort: 'random' })).toBe(false)
  await user.click(button('In Watch Later'))
  expect(button('Watch later')).toBeTruthy()
  await waitFor(() => expect(requestsTo('/videos/9/watch-later/')).toHaveLength(2))
})

test('the key w adds a video to Watch Later', async () => {
  const { requestsTo } = await renderActions()
  await user.keyboard('w')
  expect(button('In Watch Later')).toBeTruthy()
  await waitFor(() => expect(requestsTo('/videos/9/watch-later/')).toHaveLength(1))
})

test('a video can be marked as watched, which shows on its page and cards', async () => {
  const { page, requestsTo } = await renderActions()
  const list = ['videos', { sort: 'all' }]
  page.client.setQueryData(list, {
    results: [
      { id: 8, video_id: 9 },
      { id: 5, video_id: 4 },
    ],
  })
  await user.click(button('Mark as watched'))
  expect(button('Watched')).toBeTruthy()
  await waitFor(() =>
    expect(page.client.getQueryData(list)).toEqual({
      results: [
        { id: 8, video_id: 9, is_watched: true },
        { id: 5, video_id: 4 },
      ],
    }),
  )
  await user.click(button('Watched'))
  expect(button('Mark as watched')).toBeTruthy()
  await waitFor(() =>
    expect(requestsTo('/videos/9/watched/').map(({ method }) => method)).toEqual(['POST', 'DELETE']),
  )
})

test('a failed change is undone and shows an error', async () => {
  await renderActions(() => 'offline')
  await user.click(button('Watch later'))
  expect(await screen.findByText("Couldn't update Watch Later. Try again.")).toBeTruthy()
  await waitFor(() => expect(button('Watch later')).toBeTruthy())
  await user.click(button('Mark as watched'))
  expect(await screen.findByText("Couldn't update watched status. Try again.")).toBeTruthy()
  await waitFor(() => expect(button('Mark as watched')).toBeTruthy())
})

test('visitors are redirected to login, and back', async () => {
  resetBrowser()
  const { page, requestsTo } = await renderActions()
  await user.click(button('Watch later'))
  await waitFor(() => expect(page.path()).toBe('/login?redirect=%2Fbookmarks%2F7'))
  expect(requestsTo('/videos/9/watch-later/')).toEqual([])
})

const listingPage = { results: [{ id: 8, video_id: 9 }] } as ListingPage

function Card() {
  const { data } = useQuery<ListingPage>({
    queryKey: ['videos', {}],
    queryFn: skipToken,
    initialData: listingPage,
  })
  const watchLater = useWatchLater({ videoId: 9, isInWatchLater: data?.results[0]?.is_in_watch_later })
  return (
    <button type="button" onClick={watchLater.toggle}>
      {watchLater.isInWatchLater ? 'in' : 'out'}
    </button>
  )
}

test('a card with outdated state ends in the chosen state', async () => {
  // The video was already in Watch Later, so the first request removes it.
  const replies = [false, true]
  const requests = fakeApi(() => [
    200,
    { is_in_watch_later: replies.shift(), collection_id: 3, bookmark_id: null },
  ])
  const page = await renderPage(<Card />)
  const cachedState = () =>
    page.client.getQueryData<ListingPage>(['videos', {}])?.results[0]?.is_in_watch_later
  await user.click(button('out'))
  await waitFor(() => expect(requests).toHaveLength(2))
  await waitFor(() => expect(cachedState()).toBe(true))
  expect(button('in')).toBeTruthy()
})
