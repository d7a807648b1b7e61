import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { stopVideo } from './now-playing.ts'
import { Player } from './player.tsx'
import { PlayerDock } from './player-dock.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  stopVideo()
  vi.unstubAllGlobals()
})

function Page({ start }: { start: number | null }) {
  const bookmark = { ...sampleBookmark, start_seconds: start }
  return (
    <>
      <div id="player-dock" />
      <PlayerDock />
      <Player bookmark={bookmark} title="Sintel" />
    </>
  )
}

async function renderPlayer(position: number | null, start: number | null = null) {
  const requests = fakeApi(({ path }) =>
    path === '/videos/9/position/' ? [200, { seconds: position }] : [404, { detail: 'Not found.' }],
  )
  await renderPage(<Page start={start} />)
  return () => requests.filter(({ path }) => path === '/videos/9/position/')
}

const button = (name: string) => screen.findByRole('button', { name })
const frameUrl = async () => (await screen.findByTitle('Player: Sintel')).getAttribute('src')

test('a video that was not finished is resumed where the viewer stopped', async () => {
  await renderPlayer(754, 75)
  await user.click(await button('Resume at 12:34'))
  expect(await frameUrl()).toContain('start=754')
  expect(screen.queryByRole('button')).toBeNull()
})

test('the play button resumes, too', async () => {
  await renderPlayer(754)
  await button('Resume at 12:34')
  await user.click(await button('Play Sintel'))
  expect(await frameUrl()).toContain('start=754')
})

test('a video can be started over, from where the bookmark starts', async () => {
  await renderPlayer(754, 75)
  await user.click(await button('Start over'))
  expect(await frameUrl()).toContain('start=75')
})

test('without a position, the play button starts where the bookmark does', async () => {
  const positionRequests = await renderPlayer(null, 75)
  await waitFor(() => expect(positionRequests()).toHaveLength(1))
  await user.click(await button('Play Sintel'))
  expect(await frameUrl()).toContain('start=75')
})

test('a position at the end is not offered', async () => {
  const positionRequests = await renderPlayer(880)
  await waitFor(() => expect(positionRequests()).toHaveLength(1))
  expect(screen.queryByRole('button', { name: /Resume/ })).toBeNull()
})

test('visitors have no position', async () => {
  resetBrowser()
  const positionRequests = await renderPlayer(754)
  await user.click(await button('Play Sintel'))
  expect(await frameUrl()).not.toContain('start')
  expect(positionRequests()).toEqual([])
})
