/** Code of the player that cannot be loaded. */
import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { dismissToast, getToasts } from '../../../ui/toast.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { getNowPlaying } from './now-playing.ts'
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

const message = "Couldn't load this. Check your connection and try again."

test('a video whose player cannot be loaded stops, with a message and its play button, each time', async () => {
  await renderPage(
    <>
      <div id="player-dock" />
      <PlayerDock renderMore={() => null} />
      <Player bookmark={sampleBookmark} title="Sintel" />
      <Toaster />
    </>,
  )
  for (const count of [1, 2]) {
    await userEvent.click(await screen.findByRole('button', { name: 'Play Sintel' }))
    await vi.waitFor(() => expect(screen.getAllByText(message)).toHaveLength(count))
    expect(getNowPlaying()).toBeNull()
  }
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(2)
})
