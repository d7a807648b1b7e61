import type { ListingItem } from '@reelmark/contract/listing.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import type { Container } from './container.ts'
import { EditContainerDialog } from './edit-container-dialog.tsx'

beforeAll(fakeDialogs)
beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const films: Container = {
  kind: 'collection',
  id: 4,
  name: 'Films',
  description: '',
  access: 'public',
  cover: { url: null, orientation: null },
  coverBookmark: null,
  shareImage: null,
  bookmarksCount: 1,
  channels: [],
  parent: null,
  user: { id: 1, username: 'alice', avatar_url: '/media/default.jpg', is_verified: false },
  isOwner: true,
  isFollowed: false,
  followersCount: 0,
  isWatchLater: false,
  listOrder: 'newest',
  totalDuration: null,
  updatedAt: '2026-01-01T00:00:00Z',
}
const sintel: ListingItem = {
  id: 7,
  video_id: 9,
  title: 'Sintel',
  thumbnail_url: '/media/sintel.webp',
  thumbnail_large_url: null,
  user_username: 'alice',
  host: 'video.example',
  orientation: 'sfw',
  shape: 'landscape',
  duration: null,
  created_at: '2026-01-01T00:00:00Z',
  saves_count: 1,
  likes_count: 0,
  is_public: true,
}

test.each([
  ['collection', '/collections/4/', { access: 'public' }],
  ['channel', '/channels/4/', {}],
] as const)('the chosen cover of a %s is sent, and only if it changed', async (kind, path, others) => {
  const user = userEvent.setup({ delay: null })
  const requests = fakeApi(({ method }) =>
    method === 'GET' ? [200, { count: 1, next: null, previous: null, results: [sintel] }] : [200, {}],
  )
  const onClose = vi.fn()
  await renderPage(<EditContainerDialog container={{ ...films, kind }} open onClose={onClose} />)
  const save = screen.getByRole('button', { name: 'Save' })
  const cover = await screen.findByRole('radio', { name: 'Sintel' })
  const sent = () =>
    requests.filter(({ method }) => method === 'PATCH').map((request) => [request.path, request.body])

  await user.click(save)
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  const fields = { name: 'Films', description: '', ...others }
  expect(sent()).toEqual([[path, fields]])

  await user.click(cover)
  await user.click(save)
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
  expect(sent().at(-1)).toEqual([path, { ...fields, cover_bookmark_id: 7 }])
})

test('a name or description that is too long is not cut, and nothing is sent', async () => {
  const user = userEvent.setup({ delay: null })
  const requests = fakeApi(() => [200, { count: 0, next: null, previous: null, results: [] }])
  await renderPage(<EditContainerDialog container={films} open onClose={() => {}} />)
  const tooLong = [
    [screen.getByLabelText<HTMLInputElement>(/^Name/), 'x'.repeat(101)],
    [screen.getByLabelText<HTMLTextAreaElement>('Description'), 'x'.repeat(5001)],
  ] as const
  for (const [field, text] of tooLong) {
    await user.clear(field)
    await user.click(field)
    await user.paste(text)
    expect(field.value).toBe(text)
  }
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Must be 100 characters or fewer.',
    'Must be 5000 characters or fewer.',
  ])
  expect(document.activeElement).toBe(tooLong[0][0])
  expect(requests.filter(({ method }) => method === 'PATCH')).toEqual([])
})
