import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Placeholder } from './placeholder.tsx'
import { useInView } from './use-in-view.ts'

interface ThumbnailFrameProps {
  /** Null: the placeholder. */
  src: string | null
  /** What the placeholder is made from. */
  title: string
  /** Portrait and square pictures sit inside the frame on a blurred copy of themselves. */
  contained?: boolean
  /** Loaded at once and first, not when near. */
  eager?: boolean
  className?: string
  /** What lies on the picture. */
  children?: ReactNode
}

/**
 * A 16:9 frame with a picture that loads when within 100 px of view, or at once; the placeholder is behind it and
 * stays when it fails. Decorative: the title stands beside it as text.
 */
export function ThumbnailFrame({
  src,
  title,
  contained = false,
  eager = false,
  className = '',
  children,
}: ThumbnailFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const near = useInView(frame, eager)
  const [failed, setFailed] = useState<string | null>(null)

  // A picture of the server's HTML can have failed before there was anyone to notice.
  useEffect(() => {
    const image = picture.current
    if (image?.complete && image.naturalWidth === 0) setFailed(src)
  }, [src])

  const shown = src !== null && failed !== src ? src : null
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
      {near ? images : shown !== null && <noscript>{images}</noscript>}
      {children}
    </div>
  )
}
