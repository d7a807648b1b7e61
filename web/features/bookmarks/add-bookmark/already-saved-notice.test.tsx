import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerSupportingRequests } from '../../../testing/collection-responses.ts'
import { type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { AddBookmarkPage } from './add-bookmark-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ownBookmark = (id: number, channel: { id: number; name: string } | null) => ({
  id,
  video_id: 7,
  title: `Sintel ${id}`,
  access: 'public',
  is_public: id !== 12,
  created_at: new Date().toISOString(),
  collection: { id: 2, name: 'Films', access: 'public' },
  channel,
})

async function openPage(tab: 'url' | 'manual', saved: unknown[]): Promise<FakeRequest[]> {
  const requests = fakeApi((request) => answerSupportingRequests(request, { saved }))
  await renderPage(<AddBookmarkPage search={{ tab }} onTab={() => undefined} />)
  await screen.findByRole('tabpanel')
  return requests
}

const sentRequests = (requests: FakeRequest[]) =>
  requests.filter(({ path }) => path.startsWith('/bookmarks/saved/'))
const findNotice = async () => {
  const title = await screen.findByText('Already in your bookmarks')
  return within(title.closest<HTMLElement>('[role="status"]') ?? document.body)
}

test.for([['url', 'Video URL'] as const, ['manual', 'Source URL'] as const])(
  'on the tab %s, typing a link lists the viewer’s bookmarks of the video with links',
  async ([tab, label]) => {
    const requests = await openPage(tab, [
      ownBookmark(11, { id: 22, name: 'Blender' }),
      ownBookmark(12, null),
    ])
    await user.type(screen.getByLabelText(label), 'https://youtu.be/eRsGyueVLvQ')
    const savedNotice = await findNotice()
    expect(savedNotice.getByRole('link', { name: 'Sintel 11' }).getAttribute('href')).toBe('/bookmarks/11')
    expect(savedNotice.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Sintel 11 in Films / Blender, just now',
      'Sintel 12 in Films, private, just now',
    ])
    expect(sentRequests(requests).map(({ path }) => path)).toEqual([
      `/bookmarks/saved/?url=${encodeURIComponent('https://youtu.be/eRsGyueVLvQ')}`,
    ])
    // No other requests are sent meanwhile.
    expect(requests.every(({ path }) => /^\/(bookmarks\/saved|collections)\//.test(path))).toBe(true)
  },
)

test('the notice says whether the chosen destination already contains the video, and saving stays possible', async () => {
  await openPage('manual', [ownBookmark(11, { id: 22, name: 'Blender' })])
  await screen.findByRole('option', { name: 'Films' })
  await user.type(screen.getByLabelText('Source URL'), 'https://youtu.be/eRsGyueVLvQ')
  const savedNotice = await findNotice()
  expect(savedNotice.getByText('You can also save it to another collection.')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Collection'), 'Films')
  await user.selectOptions(screen.getByLabelText('Channel'), 'Blender')
  expect(savedNotice.getByText(/It's already in this collection/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Save Bookmark & Video' })).toHaveProperty('disabled', false)
})

test('the link of a video that other users saved shows how many they are and where to view it', async () => {
  fakeApi((request) => answerSupportingRequests(request, { others: { saves_count: 2, bookmark_id: 31 } }))
  await renderPage(<AddBookmarkPage search={{ tab: 'url' }} onTab={() => undefined} />)
  await user.type(await screen.findByLabelText('Video URL'), 'https://youtu.be/eRsGyueVLvQ')
  expect(await screen.findByText('Already on this site')).toBeTruthy()
  expect(screen.getByText(/2 other users saved this video\./)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View it' }).getAttribute('href')).toBe('/bookmarks/31')
})

test('incomplete links are not looked up, and videos that are not saved show no notice', async () => {
  const requests = await openPage('manual', [])
  await user.type(screen.getByLabelText('Source URL'), 'sintel')
  await user.clear(screen.getByLabelText('Source URL'))
  await user.type(screen.getByLabelText('Source URL'), 'https://youtu.be/x')
  await waitFor(() => expect(sentRequests(requests)).toHaveLength(1))
  expect(screen.queryByText('Already in your bookmarks')).toBeNull()
})
