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

/** Starts by itself, which is what the press was for; where the browser does not let it, it shows its own play button. */
export function PlayerFrame({
  bookmark: { id, video, embed_page_url },
  title,
  embedUrl,
  onState,
}: PlayerFrameProps) {
  const known = video.player === 'known'
  const frame = useRef<HTMLIFrameElement>(null)
  const player = known
    ? findKnownPlayer(embedUrl, window.location)
    : embedPagePlayer(embed_page_url ?? `/embed/${id}`)
  usePlayerState(frame, player, onState)
  return (
    <iframe
      ref={frame}
      src={player.src}
      title={`Player: ${title}`}
      sandbox={known ? knownSandbox : 'allow-scripts allow-presentation'}
      allow={known ? 'autoplay; fullscreen; picture-in-picture; encrypted-media' : 'autoplay; fullscreen'}
      referrerPolicy="strict-origin-when-cross-origin"
      onLoad={(event) => {
        event.currentTarget.dataset.loaded = ''
      }}
    />
  )
}

const knownSandbox =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'
