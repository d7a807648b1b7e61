import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRef } from 'react'
import { embedPagePlayer, findKnownPlayer, type PlayerState } from './embedded-players.ts'
import { usePlayerState } from './use-player-state.ts'

export interface PlayerFrameProps {
  bookmark: Bookmark
  title: string
  embedUrl: string
  onState: (state: PlayerState) => void
}

/**
 * The frame of a player. It starts playback, which the user requested; if the browser blocks that, the player shows its
 * own play button.
 */
export function PlayerFrame({
  bookmark: { id, video, embed_page_url },
  title,
  embedUrl,
  onState,
}: PlayerFrameProps) {
  const isKnown = video.player === 'known'
  const frame = useRef<HTMLIFrameElement>(null)
  const player = isKnown
    ? findKnownPlayer(embedUrl, window.location)
    : embedPagePlayer(embed_page_url ?? `/embed/${id}`)
  usePlayerState(frame, player, onState)
  return (
    <iframe
      ref={frame}
      src={player.src}
      title={`Player: ${title}`}
      sandbox={isKnown ? knownSandbox : 'allow-scripts allow-presentation'}
      allow={isKnown ? 'autoplay; fullscreen; picture-in-picture; encrypted-media' : 'autoplay; fullscreen'}
      referrerPolicy="strict-origin-when-cross-origin"
      onLoad={(event) => {
        event.currentTarget.dataset.loaded = ''
      }}
    />
  )
}

const knownSandbox =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'
