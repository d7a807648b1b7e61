import type { Bookmark, Video } from '@reelmark/contract/bookmarks.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { withdrawAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { stopVideo } from './now-playing.ts'
import { Player } from './player.tsx'
import { PlayerDock } from './player-dock.tsx'

afterEach(() => {
  cleanup()
  stopVideo()
})

function renderPlayer(video: Partial<Video> = {}, changes: Partial<Bookmark> = {}) {
  const bookmark = { ...sampleBookmark, ...changes, video: { ...sampleBookmark.video, ...video } }
  return renderPage(
    <>
      <div id="player-dock" />
      <PlayerDock renderMore={() => null} />
      <Player bookmark={bookmark} title="Sintel" />
    </>,
  )
}

describe('the player', () => {
  it('loads nothing from other sites before play is clicked', async () => {
    const { container } = await renderPlayer()
    expect(container.querySelector('iframe')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Play Sintel' }))
    const frame = await screen.findByTitle('Player: Sintel')
    expect(frame.getAttribute('src')).toBe(
      `${sampleBookmark.video.embed_url}?autoplay=1&enablejsapi=1&origin=${encodeURIComponent(window.location.origin)}`,
    )
    expect(frame.getAttribute('sandbox')).toBe(
      'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox',
    )
    expect(frame.getAttribute('allow')).toBe('autoplay; fullscreen; picture-in-picture; encrypted-media')
    expect(frame.getAttribute('referrerpolicy')).toBe('strict-origin-when-cross-origin')
  })

  it('names an unknown host and shows its player inside our page with an opaque origin', async () => {
    await renderPlayer(
      { player: 'other', embed_url: 'https://video.somewhere.example/e/1' },
      { embed_page_url: '/embed/7?key=k' },
    )
    await userEvent.click(screen.getByRole('button', { name: /Play from video\.somewhere\.example/ }))
    const frame = await screen.findByTitle('Player: Sintel')
    expect(frame.getAttribute('src')).toBe('/embed/7?key=k')
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-presentation')
  })

  it('shows the thumbnail if there is no player', async () => {
    const { container } = await renderPlayer({ embed_url: null, player: null })
    expect(screen.queryByRole('button')).toBeNull()
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/media/thumbnails/9-large.webp')
  })

  it('says that there is no preview without player and thumbnail', async () => {
    await renderPlayer({ embed_url: null, player: null, thumbnail_url: null, thumbnail_large_url: null })
    expect(screen.getByText('No Video Preview Available')).toBeTruthy()
  })

  it('shows adult content after age confirmation, until that is withdrawn', async () => {
    const { container } = await renderPlayer({ orientation: 'trans' })
    expect(container.querySelector('img')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Play Sintel' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: "I'm 18 or older" }))
    expect(screen.getByRole('button', { name: 'Play Sintel' })).toBeTruthy()
    expect(localStorage.getItem('adult-confirmed')).toBe('yes')
    await userEvent.click(screen.getByRole('button', { name: 'Play Sintel' }))
    await screen.findByTitle('Player: Sintel')
    act(withdrawAdultConsent)
    expect(screen.queryByTitle('Player: Sintel')).toBeNull()
    expect(screen.getByRole('button', { name: "I'm 18 or older" })).toBeTruthy()
  })
})

describe('the space bar', () => {
  const pressSpace = () => userEvent.keyboard(' ')

  it('starts the player of a known host', async () => {
    await renderPlayer()
    await vi.waitFor(async () => {
      await pressSpace()
      expect(screen.queryByTitle('Player: Sintel')).not.toBeNull()
    })
  })

  it('leads to the button that names an unknown host', async () => {
    await renderPlayer({ player: 'other', embed_url: 'https://video.somewhere.example/e/1' })
    const play = screen.getByRole('button', { name: /Play from video\.somewhere\.example/ })
    await vi.waitFor(async () => {
      await pressSpace()
      expect(document.activeElement).toBe(play)
    })
    expect(screen.queryByTitle('Player: Sintel')).toBeNull()
  })

  it('pauses a player whose time moves, and continues, even if a time from before arrives late', async () => {
    await renderPlayer()
    await userEvent.click(screen.getByRole('button', { name: 'Play Sintel' }))
    const frame = (await screen.findByTitle<HTMLIFrameElement>('Player: Sintel')).contentWindow as Window
    // The focus would otherwise be on the removed button's successor.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const post = vi.spyOn(frame, 'postMessage').mockImplementation(() => undefined)
    const { origin } = new URL(sampleBookmark.video.embed_url ?? '')
    const reportTime = (currentTime: number) => {
      const data = JSON.stringify({ event: 'infoDelivery', info: { currentTime } })
      act(() => window.dispatchEvent(new MessageEvent('message', { data, origin, source: frame })))
    }
    const commands = () =>
      post.mock.calls.flatMap(([message]) => /pauseVideo|playVideo/.exec(String(message)) ?? []).map(String)
    reportTime(1)
    await pressSpace()
    expect(commands()).toEqual(['pauseVideo'])
    reportTime(1.2)
    await pressSpace()
    expect(commands()).toEqual(['pauseVideo', 'playVideo'])
    reportTime(1.4)
    await pressSpace()
    expect(commands()).toEqual(['pauseVideo', 'playVideo', 'pauseVideo'])
  })
})
