/** Code of the player that cannot be loaded. */
import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { dismissToast, getToasts } from '../../../ui/toast.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { getNowPlaying, startVideo } from './now-playing.ts'
import { Player } from './player.tsx'
import { PlayerDock } from './player-dock.tsx'

vi.mock('./lazy-player.tsx', () => {
  throw new Error('not loaded')
})
vi.mock('./shell-player.tsx', () => {
  throw new Error('not loaded')
})

afterEach(() => {
  cleanup()
  for (const { id } of getToasts()) dismissToast(id)
})

const message = "Couldn't load the player. Check your connection and try again."

test('pressing play says that the player could not be loaded, each time', async () => {
  await renderPage(
    <>
      <Player bookmark={sampleBookmark} title="Sintel" />
      <Toaster />
    </>,
  )
  for (const count of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Play Sintel' }))
    await vi.waitFor(() => expect(screen.getAllByText(message)).toHaveLength(count))
  }
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(2)
})

test('a video whose player could not be loaded is stopped, so that the page shows its play button', async () => {
  await renderPage(
    <>
      <div id="player-dock" />
      <PlayerDock renderMore={() => null} />
      <Toaster />
    </>,
  )
  const video = { bookmark: sampleBookmark, title: 'Sintel', embedUrl: 'https://player.vimeo.com/video/1' }
  act(() => startVideo({ ...video, startSeconds: 0, context: {}, canDock: true }))
  await vi.waitFor(() => expect(getNowPlaying()).toBeNull())
  expect(screen.getByText(message)).toBeTruthy()
})
