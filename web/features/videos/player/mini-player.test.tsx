/** What the mini-player does when it is closed and when a video ends. */
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import type { PlayContext } from '../watching/play-queue.ts'
import type { PlayQueueView } from '../watching/use-play-queue.ts'
import { MiniPlayerBar } from './mini-player-bar.tsx'
import { getNowPlaying, startVideo, stopVideo } from './now-playing.ts'
import { usePlayRequest } from './play-request.ts'
import { Player } from './player.tsx'
import { useContinue } from './use-continue.ts'

const playing = {
  bookmark: sampleBookmark,
  title: 'Sintel',
  embedUrl: 'https://player.vimeo.com/video/1',
  startSeconds: 0,
  context: {} as PlayContext,
  canDock: true,
}

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  stopVideo()
  vi.unstubAllGlobals()
})

test('closing it moves the focus to the content of the page', async () => {
  startVideo(playing)
  await renderPage(
    <main id="content" tabIndex={-1}>
      <MiniPlayerBar playing={playing} problem={null} onNext={null} />
    </main>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Close the mini-player' }))
  expect(getNowPlaying()).toBeNull()
  expect(document.activeElement?.id).toBe('content')
})

/** The end of a video in the mini-player, as a button, and what follows. */
function EndOfVideo({
  context,
  following,
  count,
}: {
  context: PlayContext
  following: number[]
  count: number
}) {
  const [isDone, setDone] = useState(false)
  const items = following.map((id) => ({ id, title: `Film ${id}` }) as ListingItem)
  const view = { queue: { count }, following: items } as unknown as PlayQueueView
  const [video] = useState(() => ({ ...playing, context: { collection: 1, ...context } }))
  useEffect(() => startVideo(video), [video])
  const continueAfterEnd = useContinue(video, view)
  const request = usePlayRequest(sampleBookmark.id)
  return (
    <>
      <button type="button" onClick={() => void continueAfterEnd().then(() => setDone(true))}>
        End
      </button>
      {isDone && <p>Done</p>}
      {request !== null && <p>Again from {request.seconds}</p>}
    </>
  )
}

const again = (seconds = sampleBookmark.start_seconds ?? 0) =>
  screen.queryByText(`Again from ${seconds}`) !== null

test.each<[string, PlayContext, number[], number, { id: number | undefined; isAgain: boolean }]>([
  ['the next video', {}, [102], 2, { id: 102, isAgain: false }],
  ['nothing after the last one', {}, [], 2, { id: undefined, isAgain: false }],
  ['the first video again', { repeat: 'all' }, [], 2, { id: 101, isAgain: false }],
  ['the next video before the first', { repeat: 'all' }, [102], 2, { id: 102, isAgain: false }],
  ['the only video again', { repeat: 'all' }, [], 1, { id: sampleBookmark.id, isAgain: true }],
  ['one video again', { repeat: 'one' }, [102], 2, { id: sampleBookmark.id, isAgain: true }],
])('a list plays %s', async (_name, context, following, count, { id, isAgain }) => {
  fakeApi(({ path }): FakeAnswer => {
    if (path.startsWith('/videos/play-start/')) return [200, { bookmark_id: 101 }]
    return [200, { ...sampleBookmark, id: Number(path.split('/')[2]) }]
  })
  await renderPage(<EndOfVideo context={context} following={following} count={count} />)
  await userEvent.click(screen.getByRole('button', { name: 'End' }))
  await screen.findByText('Done')
  expect([getNowPlaying()?.bookmark.id, again()]).toEqual([id, isAgain])
})

test('a list whose repetition is changed on the page is played like that in the mini-player', async () => {
  function Page() {
    const [context, setContext] = useState<PlayContext>({ collection: 1 })
    return (
      <>
        <Player bookmark={sampleBookmark} title="Sintel" context={context} canDock />
        <button type="button" onClick={() => setContext({ collection: 1, repeat: 'one' })}>
          Repeat
        </button>
      </>
    )
  }
  startVideo({ ...playing, context: { collection: 1 } })
  await renderPage(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Repeat' }))
  expect(getNowPlaying()?.context).toEqual({ collection: 1, repeat: 'one' })
})
