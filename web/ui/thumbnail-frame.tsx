import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Placeholder } from './placeholder.tsx'
import { useInView } from './use-in-view.ts'

interface ThumbnailFrameProps {
  /** Null: show only the placeholder. */
  src: string | null
  /** The text from which the placeholder is made. */
  title: string
  /** Portrait and square pictures are shown whole, on a blurred copy of themselves. */
  shape?: 'landscape' | 'portrait' | 'square' | 'unknown' | null | undefined
  /** Loads immediately with high priority instead of when near the viewport. */
  eager?: boolean
  className?: string
  /** Content on top of the picture. */
  children?: ReactNode
}

/**
 * A 16:9 frame with a picture that loads within 100 px of the viewport, or immediately. A placeholder is visible until
 * it loads and if it fails. The picture is decorative: the title must stand beside it as text.
 */
export function ThumbnailFrame({
  src,
  title,
  shape,
  eager = false,
  className = '',
  children,
}: ThumbnailFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const isNear = useInView(frame, eager)
  const [failed, setFailed] = useState<string | null>(null)

  // A picture in server-rendered HTML can fail before React listens to its error event.
  useEffect(() => {
    const image = picture.current
    if (image?.complete && image.naturalWidth === 0) setFailed(src)
  }, [src])

  const shown = src !== null && failed !== src ? src : null
  const contained = shape === 'portrait' || shape === 'square'
  const images = shown !== null && (
    <>
      {contained && <img src={shown} alt="" className="backing" width={480} height={270} decoding="async" />}
      <img
        ref={picture}
        src={shown}
        alt=""
        width={480}
        height={270}
        decoding="async"
        fetchPriority={eager ? 'high' : 'auto'}
        className={`${contained ? 'contained' : ''} ${eager ? '' : 'arriving'}`}
        onError={() => setFailed(shown)}
      />
    </>
  )
  return (
    <div ref={frame} className={`frame ${className}`}>
      <Placeholder text={title} />
      {isNear ? images : shown !== null && <noscript>{images}</noscript>}
      {children}
    </div>
  )
}
