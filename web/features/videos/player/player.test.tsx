import type { Bookmark, Video } from '@reelmark/contract/bookmarks.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
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
