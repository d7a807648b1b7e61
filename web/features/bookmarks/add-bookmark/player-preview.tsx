import { isHttpUrl, type Orientation } from '@reelmark/contract/protocol/fields.ts'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultGate } from '../../../shared/adult/adult-gate.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'

/** A host whose player was rebuilt from the video's parsed id: it may use its own storage. */
const knownPlayerText =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'
/** Anything else: no origin, no storage, no windows of its own, no way to the page around it. */
const otherPlayerText = 'allow-scripts allow-presentation'

/** The host of an address that may be framed: https, and never our own (product's rules for embeds). */
export function playerHost(embedUrl: string): string | null {
  const text = embedUrl.trim()
  if (!isHttpUrl(text)) return null
  const url = new URL(text)
  return url.protocol === 'https:' && url.hostname !== window.location.hostname ? url.host : null
}

/** The frame of the preview: the player, asked for by a click that names its host; nothing is loaded before. */
export function PlayerPreview({
  title,
  embedUrl,
  orientation,
  known,
}: {
  title: string
  embedUrl: string
  /** As it will be saved: what is adult content is covered here too. */
  orientation: Orientation
  known: boolean
}) {
  const covered = useIsAdultCovered(orientation)
  const [started, setStarted] = useState<string | null>(null)
  const host = playerHost(embedUrl)
  const src = embedUrl.trim()
  if (covered) {
    return (
      <ThumbnailFrame src={null} title={title} eager>
        <AdultGate title={title} />
      </ThumbnailFrame>
    )
  }
  if (host !== null && started === src) {
    return (
      <iframe
        key={src}
        title={`Player: ${title}`}
        sandbox={known ? knownPlayerText : otherPlayerText}
        allow="fullscreen; picture-in-picture; encrypted-media"
        referrerPolicy="strict-origin-when-cross-origin"
        src={src}
        className="aspect-video w-full border-0 bg-sunken"
      />
    )
  }
  return (
    <ThumbnailFrame src={null} title={title} eager>
      <div className="absolute inset-0 grid place-items-center p-4">
        {host === null ? (
          <Caption>
            {src === '' ? 'Thumbnail appears after you save.' : "This embed URL can't be played."}
          </Caption>
        ) : (
          <button
            type="button"
            className={buttonClass('plain', 'sm', 'max-w-full')}
            onClick={() => setStarted(src)}
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
