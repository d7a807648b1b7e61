import { useEffect, useState } from 'react'

/**
 * A text as a QR code, dark on light in both themes, as cameras need it. The encoder is loaded on first use. It is drawn
 * as an SVG path, because the Content-Security-Policy allows neither inline styles nor HTML strings.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let isUnmounted = false
    void import('uqr').then(({ encode }) => {
      const { size, data } = encode(text, { ecc: 'M', border: 3 })
      if (!isUnmounted) setCode({ size, path: qrPath(data) })
    })
    return () => {
      isUnmounted = true
    }
  }, [text])
  if (code === null) return <div aria-hidden="true" className="skeleton size-48 rounded-card!" />
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-card border border-line scheme-light"
    >
      <rect width={code.size} height={code.size} className="fill-raised" />
      <path d={code.path} className="fill-ink" />
    </svg>
  )
}

/** Returns an SVG path of the dark squares, with each horizontal run as one rectangle. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  let path = ''
  rows.forEach((row, y) => {
    let x = 0
    while (x < row.length) {
      let end = x
      while (row[end] === true) end += 1
      if (end > x) path += `M${x} ${y}h${end - x}v1H${x}z`
      x = end + 1
    }
  })
  return path
}
