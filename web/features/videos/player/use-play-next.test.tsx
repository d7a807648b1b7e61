import type { ListingItem } from '@reelmark/contract/listing.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { Toaster } from '../../../ui/toaster.tsx'
import { useUnplayable } from '../watching/unplayable-videos.ts'
import { getNowPlaying, type NowPlaying, startVideo, stopVideo } from './now-playing.ts'
import { usePlayNext } from './use-play-next.ts'

const playing: NowPlaying = {
  bookmark: sampleBookmark,
  title: 'Sintel',
  embedUrl: 'https://player.vimeo.com/video/1',
  startSeconds: 0,
  context: {},
  canDock: true,
}

const item = (id: number) => ({ id, title: `Film ${id}` }) as ListingItem
const notFound: FakeAnswer = [404, { code: 'not-found', detail: 'Not found.' }]
const bookmarkReply = (id: number): FakeAnswer => [200, { ...sampleBookmark, id }]

function Page({ items }: { items: readonly ListingItem[] }) {
  const playNext = usePlayNext(playing)
  return (
    <>
      <button type="button" onClick={() => void playNext(items)}>
        Next
      </button>
      <p>Did not play: {[...useUnplayable()].join()}</p>
      <Toaster />
    </>
  )
}

/** Presses Next while a video plays, with an answer for each of the next bookmarks. */
async function pressNext(answers: Record<number, FakeAnswer>) {
  fakeApi(({ path }) => answers[Number(path.split('/')[2])] ?? 'offline')
  startVideo(playing)
  await renderPage(<Page items={Object.keys(answers).map((id) => item(Number(id)))} />)
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
}

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  stopVideo()
  vi.unstubAllGlobals()
})

test('bookmarks that no longer exist are skipped', async () => {
  await pressNext({ 101: notFound, 102: bookmarkReply(102) })
  await waitFor(() => expect(getNowPlaying()?.bookmark.id).toBe(102))
  expect(screen.getByText('Did not play: 101')).toBeTruthy()
})

test('without one the player closes', async () => {
  await pressNext({ 103: notFound })
  await waitFor(() => expect(getNowPlaying()).toBeNull())
})

test('a bookmark that could not be loaded is offered, and those after it are not skipped', async () => {
  await pressNext({ 104: 'offline', 105: bookmarkReply(105) })
  expect(await screen.findByText('Next: Film 104')).toBeTruthy()
  expect(getNowPlaying()).toBeNull()
  expect(screen.queryByText(/Did not play: .*10[45]/)).toBeNull()
})
