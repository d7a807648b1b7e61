import type { knownShapes } from '@reelmark/contract/protocol/fields.ts'

export type KnownShape = (typeof knownShapes)[number]

/** Returns the shape of a frame or picture. It is square if its sides differ by at most 3 per cent. */
export function classifyShape({ width, height }: { width: number; height: number }): KnownShape {
  const ratio = width / height
  if (ratio > 1.03) return 'landscape'
  return ratio < 0.97 ? 'portrait' : 'square'
}
