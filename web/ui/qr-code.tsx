import { useEffect, useState } from 'react'

/**
 * A text as a QR code, dark on light in both themes, as cameras want it. The encoder is loaded when it is shown.
 * Drawn as one path: the policy of our pages allows neither inline styles nor written HTML.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let undrawn = false
    void import('uqr').then(({ encode }) => {
      const { size, data } = encode(text, { ecc: 'M', border: 3 })
      if (!undrawn) setCode({ size, path: qrPath(data) })
    })
    return () => {
      undrawn = true
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

/** The dark squares, each run of them in a row as one rectangle. */
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
