import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultGate } from '../../../shared/adult/adult-gate.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import type { ThumbnailPreview } from '../thumbnail/thumbnail-preview.tsx'

/** The sandbox of players that the server built from a recognised video id: they may use their own storage. */
const knownPlayerSandbox =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'
/** The sandbox of all other players: no origin, storage or popups, and no access to this page. */
const otherPlayerSandbox = 'allow-scripts allow-presentation'

/** Returns the host of a player URL that may be framed; null if it is not https or is on our own host. */
function playerHost(embedUrl: string): string | null {
  const text = embedUrl.trim()
  if (!isHttpUrl(text)) return null
  const url = new URL(text)
  return url.protocol === 'https:' && url.hostname !== window.location.hostname ? url.host : null
}

/** Shows a button that names the player's host, and loads the player after a click. */
export function PlayerPreview({
  title,
  embedUrl,
  orientation,
  known,
  thumbnail,
}: {
  title: string
  embedUrl: string
  /** The orientation that will be saved. Adult content is concealed here, too. */
  orientation: Orientation
  known: boolean
  /** As it will be shown. */
  thumbnail: Pick<ThumbnailPreview, 'picture' | 'shape'>
}) {
  const isCovered = useIsAdultCovered(orientation)
  const [startedUrl, setStartedUrl] = useState<string | null>(null)
  const host = playerHost(embedUrl)
  const src = embedUrl.trim()
  if (isCovered) {
    return (
      <ThumbnailFrame src={null} title={title} eager>
        <AdultGate title={title} />
      </ThumbnailFrame>
    )
  }
  if (host !== null && startedUrl === src) {
    return (
      <iframe
        key={src}
        title={`Player: ${title}`}
        sandbox={known ? knownPlayerSandbox : otherPlayerSandbox}
        allow="fullscreen; picture-in-picture; encrypted-media"
        referrerPolicy="strict-origin-when-cross-origin"
        src={src}
        className="aspect-video w-full border-0 bg-sunken"
      />
    )
  }
  return (
    <ThumbnailFrame src={thumbnail.picture} title={title} shape={thumbnail.shape} eager>
      <div className="absolute inset-0 grid place-items-center p-4">
        {host === null ? (
          src !== '' && <Caption>This embed URL can't be played.</Caption>
        ) : (
          <button
            type="button"
            className={buttonClass('plain', 'sm', 'max-w-full')}
            onClick={() => setStartedUrl(src)}
          >
            <Play className="size-4 shrink-0" />
            <span className="truncate">Load player from {host}</span>
          </button>
        )}
      </div>
    </ThumbnailFrame>
  )
}

function Caption({ children }: { children: string }) {
  return <p className="rounded-control bg-picture-shade px-3 py-1.5 text-13 text-picture-ink">{children}</p>
}
